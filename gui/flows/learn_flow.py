"""Learning from the person's labels, in its panel; the work itself is the engine's and survives the window."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from gui.commands.names import Name
from gui.main_window import MainWindow
from gui.right.learn_panel import LearnPanel
from gui.state.learning import LearningRun


class LearnFlow(QObject):
    """Between the panel, made when it is first wanted, and the learning."""

    def __init__(self, window: MainWindow, learning: LearningRun) -> None:
        super().__init__(window)
        self._window = window
        self._learning = learning
        self._panel: LearnPanel | None = None
        self._sentence = ""
        window.actions_by_name[Name.LEARN].triggered.connect(self.show)
        learning.labels_found.connect(self.refresh)
        learning.progressed.connect(self.on_learning_progressed)
        learning.ended.connect(self.on_learning_ended)
        learning.settled.connect(self.refresh)

    @property
    def panel(self) -> LearnPanel:
        """The panel."""
        if self._panel is None:
            panel = self._panel = LearnPanel()
            self._window.right.addWidget(panel)
            panel.started.connect(self.on_panel_started)
            panel.stopped.connect(self._learning.cancel)
            panel.kept.connect(self.on_panel_kept)
            panel.dropped.connect(self.on_panel_dropped)
            panel.weights_chosen.connect(self.on_panel_weights_chosen)
            panel.left.connect(self.leave)
        return self._panel

    @Slot()
    def show(self) -> None:
        """Open the panel and count the labels."""
        self._window.right.setCurrentWidget(self.panel)
        self._sentence = ""
        self.refresh()
        self.panel.setFocus()
        self._learning.look()

    @Slot()
    def refresh(self) -> None:
        """Show what is so now."""
        if self._panel is None:
            return
        learning, found = self._learning, self._learning.found
        self._panel.show_labels(found, learning.unread)
        self._panel.show_state(found.missing if found is not None else None, learning.is_running, self._sentence)
        self._panel.show_progress(learning.share)
        self._panel.show_result(None if learning.is_running else learning.trial)
        self._panel.show_weights(learning.shelf.cards(), learning.shelf.in_use())

    @Slot()
    def leave(self) -> None:
        """Esc: back to the pages; what runs goes on."""
        self._window.right.show_evidence()
        self._window.pages.view.setFocus()

    # --- acting -------------------------------------------------------------------------------------------

    @Slot()
    def on_panel_started(self) -> None:
        """Learn."""
        self._sentence = self.tr("Learning… You can go on working meanwhile.")
        self._learning.start()
        self.refresh()
        self.panel.stop.setFocus()

    @Slot(float)
    def on_learning_progressed(self, share: float) -> None:
        """A step further."""
        if self._panel is not None:
            self._panel.show_progress(share)

    @Slot(str)
    def on_learning_ended(self, sentence: str) -> None:
        """Learnt, stopped or failed."""
        self._sentence = sentence
        self.refresh()
        if not sentence:
            self._window.status.say(self.tr("Learnt. Look at what it would change, then keep or drop it."))

    @Slot()
    def on_panel_kept(self) -> None:
        """Keep the result."""
        self._say(self._learning.keep(), self.tr("Kept. The review runs again with it."))

    @Slot()
    def on_panel_dropped(self) -> None:
        """Forget the result."""
        self._say(self._learning.drop(), self.tr("Dropped. Everything is as it was."))

    @Slot(str)
    def on_panel_weights_chosen(self, name: str) -> None:
        """Use other weights."""
        self._say(self._learning.use(name), self.tr("The review runs again."))

    def _say(self, problem: str, done: str) -> None:
        self._sentence = problem
        self.refresh()
        if not problem:
            self._window.status.say(done)
