"""What the supervisor itself has to say, in the window's language."""

from __future__ import annotations

from PySide6.QtCore import QObject

from engine.protocol.child import Role


class Sentences(QObject):
    """One method a sentence; each is made when it is said, because the language may change meanwhile."""

    def reading(self, name: str) -> str:
        """A job in words."""
        return self.tr("reading {name}").format(name=name)

    def opening_again(self, name: str) -> str:
        """A job in words."""
        return self.tr("opening {name} again").format(name=name)

    def drawing(self, page: int) -> str:
        """A job in words; ``page`` is an index."""
        return self.tr("drawing page {page}").format(page=page + 1)

    def handing_over(self) -> str:
        """A job in words."""
        return self.tr("the saving of a copy")

    def review(self) -> str:
        """A job in words."""
        return self.tr("the review")

    def anchors(self) -> str:
        """A job in words."""
        return self.tr("the look into the table of anchors")

    def question(self) -> str:
        """A job in words."""
        return self.tr("the question")

    def comparison(self) -> str:
        """A job in words."""
        return self.tr("the comparison")

    def writing(self) -> str:
        """A job in words."""
        return self.tr("the written answer")

    def learning(self) -> str:
        """A learning from labels."""
        return self.tr("the learning")

    def diagnosis(self) -> str:
        """A job in words."""
        return self.tr("the diagnosis")

    def given_up(self, role: Role) -> str:
        """A job for a child that is not started any more."""
        words = self.tr("{who} keeps ending and is not started again by itself; start it again to go on.")
        return words.format(who=self._who(role))

    def no_such_page(self) -> str:
        """A drawing of what is not there."""
        return self.tr("There is no such page in an open document.")

    def too_large(self) -> str:
        """A drawing beyond the limit."""
        return self.tr("This part of the page is too large to draw at once.")

    def no_memory(self, error: OSError) -> str:
        """A drawing that the machine has no memory for."""
        return self.tr("There is no memory to draw the page: {error}.").format(error=error)

    def changed_on_disk(self, name: str) -> str:
        """A document that is another one now."""
        words = self.tr("{name} has changed on disk since it was opened; open it again to see its pages.")
        return words.format(name=name)

    def died(self, role: Role, what: str, *, given_up: bool) -> str:
        """A job that ended with its child."""
        if given_up:
            words = self.tr("{who} ended during {what}; start it again to go on.")
        else:
            words = self.tr("{who} ended during {what}; it is being started again, please try again.")
        return words.format(who=self._who(role), what=what)

    def hung(self, role: Role, what: str) -> str:
        """A job whose child did not answer any more."""
        words = self.tr("{who} did not answer any more during {what}; it was started again.")
        return words.format(who=self._who(role), what=what)

    def _who(self, role: Role) -> str:
        return self.tr("The reader") if role is Role.READER else self.tr("The engine")
