"""What a process holds at its peak for a million narrow rows, as `make growth` measures it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MOST = 8  # times the input
PEAK = """
import json, sys
from benchmarks import growth, growth_questions
asked = [each for each in growth_questions.questions() if each.name == sys.argv[1]]
print(json.dumps(growth.measured_narrow(asked[0], sys.argv[2])._asdict()))
"""
NEAREST = [
    ("threshold_regions(clopper-pearson)", "labels"),
    ("calibration", "labels"),
    ("band(simultaneous)", "labels"),
    ("band(future)", "labels"),
    ("bootstrap(auc)", "labels"),
    ("bootstrap(Youden)", "labels"),
    ("bootstrap(average precision)", "labels"),
    ("cost band", "labels"),
    ("threshold uncertainty", "labels"),
    ("compare_at(threshold)", "labels"),
    ("compare(bootstrap, at_specificity)", "labels"),
    ("compare(bootstrap, smAUC)", "labels"),
    ("compare(bootstrap, smAUC)", "scores"),
]


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="no peaks to forget here")
@pytest.mark.parametrize(("question", "narrow"), NEAREST)
def test_a_question_holds_less_than_eight_times_its_input(question, narrow):
    command = [sys.executable, "-c", PEAK, question, narrow]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    found = json.loads(done.stdout)
    assert found["held"] <= MOST * found["given"], f"{found['held'] / found['given']:.1f}x"
