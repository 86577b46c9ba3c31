"""Experiments of ``throng lab`` on a Ray cluster, and their rows as tables; needs ``pip install throng[sweep]``.

The unit of work is a shard, which the program ``throng`` runs and journals: a task that is lost is run again and goes on where its
journal ends, and rows are put together by ``throng lab merge``, which loses none and takes none twice.

    from throng import sweep
    outcome = sweep.run("silver-crowd", shards=40, out="/shared/results")
    sweep.write_parquet(outcome["rows"], "crowd.parquet")
"""

from __future__ import annotations

import json
import subprocess
import time
from os import PathLike
from pathlib import Path
from typing import Any, Sequence

from . import ThrongError


class Failed(ThrongError):
    """The program said no; the words are its own."""


def run(
    experiment: str,
    shards: int,
    out: str | PathLike[str],
    *,
    program: str = "throng",
    options: Sequence[str] = (),
    retries: int = 10,
    cpus: float = 1,
) -> dict[str, Any]:
    """Runs the shards of an experiment as tasks of Ray and puts their rows together.

    ``out`` is a folder that all machines share, ``program`` is ``throng`` there, ``options`` are more of ``throng lab run``
    (``--quick``, ``--data DIR``). Ray is connected to if nobody has before. What comes back is the object of
    ``throng lab merge --json``.
    """
    import ray

    if shards < 1:
        raise ThrongError(f"shards is {shards}: expected at least 1")
    if not ray.is_initialized():
        ray.init()
    where = str(Path(out).absolute())

    @ray.remote(max_retries=retries, num_cpus=cpus)
    def throng_shard(part: int) -> int:
        call = [program, "lab", "run", experiment, "--out", where, *options, "--shard", f"{part}/{shards}"]
        _program(call, {"RAYON_NUM_THREADS": str(max(1, int(cpus)))})
        return part

    waiting = [throng_shard.remote(part) for part in range(1, shards + 1)]
    while waiting:
        done, waiting = ray.wait(waiting)
        try:
            ray.get(done)
        except ray.exceptions.RayTaskError as why:
            for task in waiting:
                ray.cancel(task, force=True)
            raise why.as_instanceof_cause() from None
    return merge(experiment, [], where, program=program, options=options)


def merge(
    experiment: str,
    folders: Sequence[str | PathLike[str]],
    out: str | PathLike[str],
    *,
    program: str = "throng",
    options: Sequence[str] = (),
) -> dict[str, Any]:
    """Puts rows together that shards have left in ``folders`` and in ``out``."""
    call = [program, "lab", "merge", experiment, *map(str, folders), "--out", str(out), *options, "--json"]
    return json.loads(_program(call, {}, good=(0, 2)))


def _program(call: list[str], more: dict[str, str], good: Sequence[int] = (0,)) -> str:
    import os

    while True:
        try:
            told = subprocess.run(call, capture_output=True, text=True, env={**os.environ, **more})
        except OSError as why:
            raise Failed(f"{call[0]}: {why.strerror}") from None
        # A worker that was lost may have left its program behind, which still writes to this journal.
        if told.returncode == 1 and "another run is writing to it" in told.stderr:
            time.sleep(0.5)
            continue
        if told.returncode not in good:
            raise Failed(told.stderr.strip() or f"{' '.join(call)}: status {told.returncode}")
        return told.stdout


def write_parquet(rows: Sequence[dict[str, Any]], path: str | PathLike[str]) -> None:
    """Rows as Parquet: a column for each key, lists as lists; what a row does not have is null.

    A column in which some rows have something of another kind (a list, a number, words) has all of them as JSON.
    """
    import pyarrow
    import pyarrow.parquet

    even = _even(rows)
    columns = {key: [row[key] for row in even] for key in (even[0] if even else ())}
    for key, values in columns.items():
        try:
            columns[key] = pyarrow.array(values)
        except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError):
            columns[key] = pyarrow.array([None if value is None else json.dumps(value) for value in values])
    pyarrow.parquet.write_table(pyarrow.table(columns), path)


def write_csv(rows: Sequence[dict[str, Any]], path: str | PathLike[str]) -> None:
    """Rows as CSV; lists are JSON in their cells."""
    import csv

    even = _even(rows)
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, fieldnames=list(even[0]) if even else [])
        writer.writeheader()
        for row in even:
            nested = {key: json.dumps(value) for key, value in row.items() if isinstance(value, (list, dict))}
            writer.writerow({**row, **nested})


def _even(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """All rows with the same keys, in the order in which they appear."""
    keys = dict.fromkeys(key for row in rows for key in row)
    return [{key: row.get(key) for key in keys} for row in rows]
