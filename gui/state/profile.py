"""Who works here: the name that stands beside decisions, links and notes, the same person in every matter."""

from __future__ import annotations

import getpass
import secrets

from PySide6.QtCore import QSettings

from engine.matter.records import Annotator

_ID, _NAME = "person/id", "person/name"


class Profile:
    """The person of this machine's settings. The id is made once; the name is the account's until she gives another."""

    def __init__(self, settings: QSettings) -> None:
        self._settings = settings

    @property
    def name(self) -> str:
        """Her name."""
        return str(self._settings.value(_NAME, "")) or _account_name()

    @name.setter
    def name(self, name: str) -> None:
        self._settings.setValue(_NAME, " ".join(name.split()))

    def annotator(self) -> Annotator:
        """Her as a matter knows her."""
        known = str(self._settings.value(_ID, ""))
        if not known:
            # As engine.matter's new_annotator_id, whose module brings the database that a first frame does not need.
            known = "a-" + secrets.token_hex(8)
            self._settings.setValue(_ID, known)
        return Annotator(known, self.name)


def _account_name() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "annotator"
