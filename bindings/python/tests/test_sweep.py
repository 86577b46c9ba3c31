"""Sweeps on a local cluster of two workers, one of which is killed."""

import os
import signal
import stat
import threading
import time

import pytest

from throng import ThrongError, sweep

PROGRAM = os.environ["THRONG_PROGRAM"]
QUICK = ["--quick"]


def counted(outcome):
    """Rows without the time that they took."""
    return [{key: value for key, value in row.items() if key != "ms"} for row in outcome["rows"]]


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """The same experiment, run by one process."""
    out = tmp_path_factory.mktemp("plain")
    sweep._program([PROGRAM, "lab", "run", "silver-heuristic", *QUICK, "--out", str(out)], {})
    return sweep.merge("silver-heuristic", [], out, program=PROGRAM, options=QUICK)


@pytest.fixture(scope="module")
def cluster():
    ray = pytest.importorskip("ray", reason="never: it is among the requirements")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield ray
    ray.shutdown()


@pytest.mark.timeout(300)
def test_a_worker_that_is_killed_loses_nothing(tmp_path, plain, cluster):
    pids, slow = tmp_path / "pids", tmp_path / "throng"
    # Tells who started it, so that the test knows whom to kill, and takes long enough to be killed meanwhile.
    slow.write_text(f'#!/bin/sh\necho $PPID >> {pids}\n[ "$2" = merge ] || sleep 1\nexec {PROGRAM} "$@"\n')
    slow.chmod(slow.stat().st_mode | stat.S_IXUSR)
    killed = []

    def kill_one():
        while not pids.exists() or not pids.read_text().strip():
            time.sleep(0.01)
        pid = int(pids.read_text().split()[0])
        os.kill(pid, signal.SIGKILL)
        killed.append(pid)

    killer = threading.Thread(target=kill_one, daemon=True)
    killer.start()
    outcome = sweep.run("silver-heuristic", 4, tmp_path / "out", program=str(slow), options=QUICK)
    killer.join(10)
    started = pids.read_text().split()
    assert killed and len(started) >= 4 + 1 + 1, "four shards, one of them twice, and the merge"
    assert outcome["complete"] and outcome["missing"] == []
    assert counted(outcome) == counted(plain), "nothing lost, nothing doubled"
    keys = [row["key"] for row in outcome["rows"]]
    assert len(keys) == len(set(keys)) == outcome["cases"]
    assert outcome["claims"] == plain["claims"]


@pytest.mark.timeout(120)
def test_what_a_task_complains_of_is_told(tmp_path, cluster):
    with pytest.raises(sweep.Failed, match="silver-heuristic"):
        sweep.run("silver-heuristc", 2, tmp_path, program=PROGRAM)
    with pytest.raises(ThrongError, match="shards is 0"):
        sweep.run("silver-heuristic", 0, tmp_path)
    with pytest.raises(sweep.Failed, match="no-such-program"):
        sweep.merge("silver-heuristic", [], tmp_path, program="no-such-program")


def test_rows_become_tables(tmp_path, plain):
    import csv
    import json

    import pyarrow.parquet

    rows = plain["rows"]
    sweep.write_parquet(rows, tmp_path / "rows.parquet")
    back = pyarrow.parquet.read_table(tmp_path / "rows.parquet").to_pylist()
    assert len(back) == len(rows)
    for there, here in zip(back, rows):
        for key, value in here.items():
            assert there[key] == value or json.loads(there[key]) == value, key
    sweep.write_csv(rows, tmp_path / "rows.csv")
    with open(tmp_path / "rows.csv", newline="") as file:
        assert [row["key"] for row in csv.DictReader(file)] == [row["key"] for row in rows]
    sweep.write_parquet([{"a": 1}, {"b": [1, 2]}], tmp_path / "uneven.parquet")
    uneven = pyarrow.parquet.read_table(tmp_path / "uneven.parquet").to_pylist()
    assert uneven == [{"a": 1, "b": None}, {"a": None, "b": [1, 2]}]
    sweep.write_parquet([{"a": 1}, {"a": [2]}], tmp_path / "mixed.parquet")
    assert pyarrow.parquet.read_table(tmp_path / "mixed.parquet").to_pylist() == [{"a": "1"}, {"a": "[2]"}]
