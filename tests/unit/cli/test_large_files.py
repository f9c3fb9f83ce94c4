"""``--memory-limit`` and ``--by``: the same results from files whose rows are not read."""

import pytest

import rocwise as rw
from rocwise.engines import sources
from rocwise.engines.duckdb_access import disk_full
from rocwise.engines.out_of_core import parquet_rows
from rocwise.inputs import out_of_core
from unit.cli.command_runs import members

ONE = ("--label", "ill", "--score", "a")
pytest.importorskip("duckdb")


@pytest.mark.parametrize("command", ["auc", "threshold", "roc", "costs"])
def test_the_same_result_with_rows_left_in_the_file(run, scores, monkeypatch, command):
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


def test_groups(run, tmp_path, scores, monkeypatch):
    path = tmp_path / "sites.csv"
    lines = [
        f"{y},{s},{'north' if k % 2 else 'south'},{-s}"
        for k, (y, s) in enumerate(zip(scores.ill, scores.a, strict=True))
    ]
    path.write_text("\n".join(["ill,a,site,b", *lines]) + "\n")
    outcome = run("auc", path, *ONE, "--by", "site")
    areas = rw.auc(path, label="ill", score="a", by="site")
    title, _, *rows = outcome.out.splitlines()
    assert title == str(path)
    assert rows[0].split()[0] == "site"
    assert rows[1].startswith(f"north  {areas['north'].value:.3f}")
    sizes = [f"{int(n):,}" for n in (areas["north"].n_pos, areas["north"].n_neg)]
    assert rows[1].split()[-2:] == sizes
    assert rows[-1].startswith("all equal: p = ")
    assert "(Welch's F, " in rows[-1]
    plain = members(run("auc", path, *ONE, "--by", "site", "--json").out)
    assert plain["p_value"] == areas.p_value
    assert plain["results"]["south"]["value"] == areas["south"].value
    assert run("auc", path, *ONE, "--by", "site", "--csv").out.startswith("model,site,value,")
    assert "\nsite & value & " in run("auc", path, *ONE, "--by", "site", "--latex").out
    forms = [("auc", path, *ONE, "--by", "site", *m) for m in ((), ["--json"], ["--max-fpr", ".2"])]
    in_memory = [run(*words) for words in forms]
    with monkeypatch.context() as patch:  # rows left in the file, and so many scores
        patch.setattr(sources, "BYTES_PER_LETTER", 10**12)
        patch.setattr(out_of_core, "MOST_DISTINCT", -1)
        patch.setattr(parquet_rows.ParquetRows, "few", lambda *_: False)
        assert [run(*words) for words in forms] == in_memory
    both = run("auc", path, *ONE, "--score", "b", "--by", "site", "--csv").out
    assert both.startswith("model,site,value")
    assert [line.split(",")[:2] for line in both.splitlines()[1:4]] == [
        ["a", "north"],
        ["a", "south"],
        ["b", "north"],
    ]


def test_groups_without_a_class(run, tmp_path):
    path = tmp_path / "days.csv"
    path.write_text("ill,a,day\n0,1,mon\n1,2,mon\n0,3,mon\n1,1,tue\n")
    outcome = run("auc", path, *ONE, "--by", "day")
    assert outcome.code == 0
    assert "1 of 2 groups of --by have no result" in outcome.err
    assert "tue: no result: no negative example among 1 row" in outcome.out


@pytest.mark.parametrize("more", [(), ("--by", "ill")])
def test_a_full_disk_is_no_invalid_input(run, scores, monkeypatch, more):
    absent = run("auc", scores.path.with_name("absent.csv"), *ONE, *more)
    assert (absent.code, "no such file" in absent.err) == (2, True)

    def full(*_, **__):
        raise disk_full("/tmp/rocwise")

    monkeypatch.setattr(out_of_core, "large_source", full)
    outcome = run("auc", scores.path, *ONE, *more)
    assert outcome.code == 1
    assert "/tmp: no space is left" in outcome.err
    assert "or raise --memory-limit" in outcome.err


def test_errors(run, scores):
    failed = run("auc", scores.path, *ONE, "--memory-limit", "7 bytes")
    assert failed.code == 2
    assert "--memory-limit must be at least 100 MB" in failed.err
    failed = run("auc", "-", *ONE, "--by", "ill", "--memory-limit", "1GB")
    assert "--memory-limit goes with a file" in failed.err
