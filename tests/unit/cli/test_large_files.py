"""``--memory-limit`` and ``--by``: the same answers from files whose rows are not read."""

import pytest

import rocwise as rw
from rocwise.engines import sources

ONE = ("--label", "ill", "--score", "a")
pytest.importorskip("duckdb")


@pytest.mark.parametrize("command", ["auc", "threshold", "roc", "costs"])
def test_the_same_answer_with_rows_left_in_the_file(run, scores, monkeypatch, command):
    more = ("--rule", "youden") if command == "threshold" else ()
    expected = run(command, scores.path, *ONE, *more)
    monkeypatch.setattr(sources, "BYTES_PER_LETTER", 10**12)
    found = run(command, scores.path, *ONE, *more, "--memory-limit", "1GB")
    assert found == expected
    assert found.code == 0


def test_two_models(run, scores, monkeypatch):
    both = (*ONE, "--score", "b")
    expected = run("compare", scores.path, *both)
    monkeypatch.setattr(sources, "BYTES_PER_LETTER", 10**12)
    assert run("compare", scores.path, *both, "--memory-limit", "1GB") == expected


def test_groups(run, tmp_path, scores):
    path = tmp_path / "sites.csv"
    lines = [
        f"{y},{s},{'north' if k % 2 else 'south'}"
        for k, (y, s) in enumerate(zip(scores.ill, scores.a, strict=True))
    ]
    path.write_text("\n".join(["ill,a,site", *lines]) + "\n")
    outcome = run("auc", path, *ONE, "--by", "site")
    areas = rw.auc(path, label="ill", score="a", by="site")
    rows = outcome.out.splitlines()
    assert rows[0].split()[0] == "site"
    assert rows[1].startswith(f"north  {areas['north'].value:.3f}")
    assert rows[-1].startswith("all equal: p = ")
    assert "(Welch's F, " in rows[-1]
    assert run("auc", path, *ONE, "--by", "site", "--json").code == 0


def test_refusals(run, scores):
    refused = run("auc", scores.path, *ONE, "--memory-limit", "7 bytes")
    assert refused.code == 2
    assert "--memory-limit must be at least 100 MB" in refused.err
    refused = run("auc", scores.path, *ONE, "--score", "b", "--by", "ill")
    assert "--by needs one --score" in refused.err
