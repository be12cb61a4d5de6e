"""The ranking's weights as settings: documented, checked, from the file and for one question."""

from __future__ import annotations

import pytest

from engine.asking import Asker
from engine.protocol.ranking import (
    RANKING,
    RANKING_FILE,
    BadRanking,
    checked_ranking,
    load_ranking,
    ranking_lines,
)
from engine.retrieval.ranking import RankingSettings, ranking_settings
from engine.states.encoder import never


def test_the_documented_settings_are_those_that_there_are():
    usual = RankingSettings()
    assert {name: float(getattr(usual, name)) for name in usual.__struct_fields__} == {
        name: float(each.usual) for name, each in RANKING.items()
    }
    assert all(name in ranking_lines() for name in RANKING)


def test_changes_keep_their_kinds():
    changed = ranking_settings({"search_k": 20.0, "state": 1, "filtered": 1.0})
    assert (changed.search_k, changed.state, changed.filtered, changed.top_k) == (20, 1.0, True, 3)
    assert isinstance(changed.search_k, int)


@pytest.mark.parametrize(
    "values", [{"stat": 0.5}, {"state": -1}, {"state": float("nan")}, {"top_k": 0}, {"state": 1e9}]
)
def test_what_cannot_be_is_refused(values):
    with pytest.raises(BadRanking):
        checked_ranking(values)


def test_the_file(tmp_path):
    assert load_ranking(tmp_path) == {}
    (tmp_path / RANKING_FILE).write_text('{"lexical": 0.4}')
    assert load_ranking(tmp_path) == {"lexical": 0.4}
    for broken in ("{", '{"lexical": "much"}', '{"other": 1}'):
        (tmp_path / RANKING_FILE).write_text(broken)
        with pytest.raises(BadRanking):
            load_ranking(tmp_path)


def test_a_question_is_asked_with_them(english, encoder, tmp_path, monkeypatch):
    monkeypatch.setenv("ANTINOMY_HOME", str(tmp_path))
    asker = Asker()

    def ask(**ranking: float):
        return asker.ask("payment", (), [english.id], [english], None, encoder, lambda *_: None, never, ranking)

    assert len(ask(top_k=1).passages) == 1
    assert ask(lexical=5.0).passages[0].score > ask().passages[0].score
    (tmp_path / "data").mkdir(exist_ok=True)
    (tmp_path / "data" / RANKING_FILE).write_text('{"top_k": 1}')
    assert len(ask().passages) == 1
    (tmp_path / "data" / RANKING_FILE).write_text("{")
    with pytest.raises(BadRanking):
        ask()
