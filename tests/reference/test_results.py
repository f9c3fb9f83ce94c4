"""Numbers of every public function are those that were recorded."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_numbers_are_those_recorded():
    script = ROOT / "scripts" / "reference_results.py"
    recorded = Path(__file__).with_name("results.json.gz")
    words = [sys.executable, str(script), "check", str(recorded), "--quick"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
