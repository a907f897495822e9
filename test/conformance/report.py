"""The conformance result as Markdown: by operator, and by the reason of what is not passed.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

import onnx

from execute import Outcome
from suite import Test

KINDS = ("passed", "refused", "wrong")


def _operators(test: Test) -> set[str]:
    model = onnx.load(str(test.model), load_external_data=False)
    return {f"{node.domain}.{node.op_type}" if node.domain else node.op_type for node in model.graph.node}


def _table(title: str, rows: Mapping[str, Counter]) -> list[str]:
    lines = [f"| {title} | passed | refused | wrong |", "|---|---:|---:|---:|"]
    for name in sorted(rows):
        lines.append(f"| {name} | " + " | ".join(str(rows[name][kind]) for kind in KINDS) + " |")
    return [*lines, ""]


def _shape_of(reason: str) -> str:
    """The reason without what differs from test to test: quoted names, numbers, paths."""
    reason = re.sub(r"\S*/\S+:\s*", "", reason)
    reason = re.sub(r"'[^']*'", "'…'", reason)
    return re.sub(r"\d+(\.\d+)?(e[-+]?\d+)?", "N", reason)


def write_report(path: Path, tests: Sequence[Test], outcomes: Mapping[str, Outcome]) -> None:
    by_kind: dict[str, Counter] = defaultdict(Counter)
    by_operator: dict[str, Counter] = defaultdict(Counter)
    for test in tests:
        outcome = outcomes[test.name]
        by_kind[test.name.split("/")[0]][outcome.kind] += 1
        for operator in _operators(test):
            by_operator[operator][outcome.kind] += 1
    reasons = Counter(
        (outcome.kind, _shape_of(outcome.reason)) for outcome in outcomes.values() if outcome.kind != "passed"
    )
    lines = ["# Conformance to the ONNX backend tests", ""]
    lines += _table("tests", by_kind)
    lines += ["A test counts for every operator that its graph holds.", ""]
    lines += _table("operator", by_operator)
    lines += ["| tests | result | reason |", "|---:|---|---|"]
    for (kind, reason), count in reasons.most_common():
        escaped = reason.replace("|", "\\|")
        lines.append(f"| {count} | {kind} | {escaped} |")
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
