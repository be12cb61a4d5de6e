"""UIMA CAS JSON read by its specification alone, sharing nothing with the module that writes it.

Source: the UIMA CAS JSON 0.4.0 description (apache/uima-uimaj-io-jsoncas): type and feature names, ``%``-keys,
references by ``@``-keys, offsets in UTF-16 units, and what UIMA's predefined types are.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

#: Features of UIMA's own types, which a file need not declare.
_PREDEFINED = {
    "uima.cas.Sofa": {"sofaNum", "sofaID", "mimeType", "sofaString", "sofaURI", "sofaArray"},
    "uima.tcas.Annotation": {"sofa", "begin", "end"},
    "uima.tcas.DocumentAnnotation": {"sofa", "begin", "end", "language"},
}


class CasRelation(NamedTuple):
    """A relation: its label, and (begin, end, covered words) of its two passages."""

    label: str
    governor: tuple[int, int, str]
    dependent: tuple[int, int, str]


def _features_of(types: dict[str, Any], kind: str) -> set[str]:
    if kind in _PREDEFINED:
        return _PREDEFINED[kind]
    declared = types[kind]
    assert declared["%NAME"] == kind
    own = {name for name in declared if not name.startswith("%")}
    assert all(declared[name]["%NAME"] == name and declared[name]["%RANGE"] for name in own)
    return own | _features_of(types, declared["%SUPER_TYPE"])


def read_cas(data: bytes) -> tuple[str, str, list[CasRelation]]:
    """The document's id, its text and its relations; every rule of the format that is broken fails an assertion."""
    cas = json.loads(data.decode("utf-8"))
    assert set(cas) == {"%TYPES", "%FEATURE_STRUCTURES", "%VIEWS"}
    structures = cas["%FEATURE_STRUCTURES"]
    by_id = {fs["%ID"]: fs for fs in structures}
    assert len(by_id) == len(structures), "two structures have one id"
    (sofa,) = [fs for fs in structures if fs["%TYPE"] == "uima.cas.Sofa"]
    units = sofa["sofaString"].encode("utf-16-le", "surrogatepass")
    view = cas["%VIEWS"][sofa["sofaID"]]
    assert view["%SOFA"] == sofa["%ID"]
    assert sorted(view["%MEMBERS"]) == sorted(set(by_id) - {sofa["%ID"]}), "an annotation is in no view's index"
    for fs in structures:
        known = _features_of(cas["%TYPES"], fs["%TYPE"])
        for key, value in fs.items():
            if key.startswith("@"):
                assert value in by_id, f"{key} refers to nothing"
            assert key.startswith("%") or key.lstrip("@") in known, f"{fs['%TYPE']} has no feature {key}"

    def covered(passage: dict[str, Any]) -> tuple[int, int, str]:
        begin, end = passage["begin"], passage["end"]
        assert passage["@sofa"] == sofa["%ID"]
        assert 0 <= begin <= end <= len(units) // 2
        # Strict: a boundary inside a surrogate pair does not decode.
        return begin, end, units[2 * begin : 2 * end].decode("utf-16-le")

    relations = [
        CasRelation(fs["label"], covered(by_id[fs["@Governor"]]), covered(by_id[fs["@Dependent"]]))
        for fs in structures
        if fs["%TYPE"] == "custom.Relation"
    ]
    (about,) = [fs for fs in structures if fs["%TYPE"].endswith(".DocumentMetaData")]
    assert (about["begin"], about["end"]) == (0, len(units) // 2)
    return about["documentId"], sofa["sofaString"], relations
