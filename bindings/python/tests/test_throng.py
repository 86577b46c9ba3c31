"""What the module promises, in the wheel as it is installed."""

import doctest
import os
import re
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import throng
import throng.env
import throng.plot

ROOT = Path(os.environ["THRONG_ROOT"])
HALL = np.ones((9, 12), dtype=bool)
HALL[4, 2:10] = False
STARTS = [(x, 0) for x in range(0, 12, 2)]
GOALS = [(11 - x, 8) for x in range(0, 12, 2)]


def test_it_is_the_wheel_that_is_tested():
    assert "site-packages" in throng.__file__


def test_plans_are_arrays_that_the_judge_accepts():
    solution = throng.solve(HALL, STARTS, GOALS, planner="lacam")
    assert solution.solved and solution.outcome == "solved" and solution.why is None
    plan = solution.plan
    assert plan.dtype == np.int32 and plan.shape[1:] == (6, 2)
    assert (plan[0] == STARTS).all() and (plan[-1] == GOALS).all()
    assert HALL[plan[..., 1], plan[..., 0]].all()
    report = throng.check(HALL, STARTS, GOALS, plan)
    assert report.valid and report.violations == [] and report.finished == 6
    assert (report.soc, report.makespan) == (solution.soc, solution.makespan)
    assert solution.soc_lb <= solution.soc and solution.makespan_lb <= solution.makespan
    # All numbers that arrays of places may be made of.
    for dtype in (np.int32, np.int64):
        again = throng.solve(HALL, np.array(STARTS, dtype), np.array(GOALS, dtype))
        assert (again.plan == plan).all()


def test_the_judge_names_what_is_wrong():
    plan = np.array([[[0, 0], [2, 0]], [[1, 0], [1, 0]], [[2, 0], [0, 0]]], dtype=np.int32)
    report = throng.check(HALL, [(0, 0), (2, 0)], [(2, 0), (0, 0)], plan)
    assert not report.valid and report.collisions >= 1 and report.total == len(report.violations)
    assert "0" in report.violations[0] and "1" in report.violations[0]


def test_problems_without_a_solution_are_no_exceptions():
    walled = HALL.copy()
    walled[4, :] = False
    solution = throng.solve(walled, STARTS, GOALS)
    assert solution.outcome == "infeasible" and solution.plan is None and solution.why
    limited = throng.solve(HALL, STARTS, GOALS, planner="cbs", budget=1)
    assert limited.outcome == "out-of-budget" and not limited.solved


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda: throng.solve(HALL, STARTS, GOALS[1:]), throng.ThrongError, "6 starts and 5 goals"),
        (lambda: throng.solve(HALL, STARTS, GOALS, planner="lacan"), throng.ThrongError, "lacan"),
        (lambda: throng.solve(HALL, STARTS, GOALS, planner="whca(widow=3)"), throng.ThrongError, "widow"),
        (lambda: throng.solve(HALL, STARTS, GOALS, moves=5), throng.ThrongError, "expected 4 or 8"),
        (lambda: throng.solve(HALL, STARTS, GOALS, threads=0), throng.ThrongError, "threads is 0"),
        (lambda: throng.solve(HALL, [(0, 4)], [(3, 4)]), throng.ThrongError, "goal (3,4) is blocked terrain"),
        (lambda: throng.solve(HALL.astype(float), STARTS, GOALS), TypeError, "float64 with shape"),
        (lambda: throng.solve(HALL[0], STARTS, GOALS), TypeError, "two dimensions"),
        (lambda: throng.solve([[True]], STARTS, GOALS), TypeError, "the map is <class 'list'>"),
        (lambda: throng.solve(HALL, np.zeros((6, 3), int), GOALS), TypeError, "shape (agents, 2)"),
        (lambda: throng.solve(HALL, np.zeros((6, 2)), GOALS), TypeError, "starts is an array of float64"),
        (lambda: throng.solve(HALL, np.full((6, 2), 2**40), GOALS), throng.ThrongError, "is no cell"),
        (lambda: throng.check(HALL, STARTS, GOALS, np.zeros((3, 5, 2), np.int32)), TypeError, "(ticks, 6, 2)"),
        (lambda: throng.check(HALL, STARTS, GOALS, np.zeros((3, 6, 2))), TypeError, "float64"),
        (lambda: throng.distances(HALL, (2, 4)), throng.ThrongError, "(2,4) is not an open cell"),
        (lambda: throng.World.builtin("bridges"), throng.ThrongError, "bridges"),
        (lambda: throng.World.scenario("map = '.?'"), throng.ThrongError, "line 1, column 2: unknown terrain '?'"),
        (lambda: throng.World.open("none.toml"), OSError, "none.toml"),
        (lambda: throng.World.resume(b"nothing"), throng.ThrongError, "no saved session"),
        (lambda: throng.World.empty(np.full((2, 2), ord("x"), np.uint8), "lra"), throng.ThrongError, "unknown terrain 'x'"),
        (lambda: throng.World.builtin("bridge").step(budget=0), throng.ThrongError, "budget is 0"),
        (lambda: throng.World.builtin("bridge").add((0, 0), goal=(1, 1), explore=True), TypeError, "at most one"),
        (lambda: throng.World.builtin("bridge").add((0, 0), rounds=1), TypeError, "only for patrol"),
        (lambda: throng.World.builtin("bridge").add((0, 0), body=1000), throng.ThrongError, "body is 1000"),
    ],
)
def test_what_is_wrong_is_an_exception_in_words(call, kind, words):
    with pytest.raises(kind) as told:
        call()
    assert words in str(told.value)


def test_worlds_run_step_by_step():
    world = throng.World.empty(HALL, "whca(window=16)")
    units = [world.add(start, goal=goal) for start, goal in zip(STARTS, GOALS)]
    assert world.units == units and [unit.index for unit in units] == list(range(6))
    assert (world.positions == STARTS).all() and not world.arrived.any()
    assert world.step() == 1 and world.tick == 1
    kinds = {event["kind"] for event in throng.events(world)}
    assert "Moved" in kinds
    run = world.run(200)
    assert run.dtype == np.int32 and run.shape[1:] == (6, 2) and (run[-1] == GOALS).all()
    assert (np.abs(np.diff(run, axis=0)).sum(axis=2) <= 1).all(), "nobody jumps"
    assert world.done and world.arrived.all() and world.step(5) == 0
    for tick in run:
        assert len({tuple(cell) for cell in tick}) == 6, "nobody shares a cell"


def test_worlds_take_orders():
    world, other = throng.World.empty(HALL, "whca"), throng.World.empty(HALL, "whca")
    unit, stranger = world.add((0, 0), goal=(5, 0)), other.add((0, 0))
    assert unit != stranger
    with pytest.raises(throng.Refused, match="another world"):
        world.order(stranger, goal=(1, 1))
    with pytest.raises(throng.Refused, match="taken"):
        world.add((0, 0))
    with pytest.raises(throng.Refused, match="blocked"):
        world.order(unit, goal=(2, 4))
    world.order(unit, goal=(0, 3))
    assert world.set_open((1, 0), False) and not world.passable[0, 1]
    world.step(10)
    assert tuple(world.positions[0]) == (0, 3)
    world.place(unit, (5, 5))
    assert tuple(world.positions[0]) == (5, 5)
    world.remove(unit)
    assert tuple(world.positions[0]) == (-1, -1)
    with pytest.raises(throng.Refused, match="any more"):
        world.order(unit, goal=(0, 0))
    again = world.add((3, 3))
    assert again.index == 0 and again != unit


def test_the_same_world_ends_in_the_same_state():
    one = throng.World.builtin("town", seed=5)
    two = throng.World.builtin("town", seed=5, threads=2)
    one.step(40)
    two.step(25)
    two = throng.World.resume(two.save(), threads=2)
    two.step(15)
    assert one.state_hash == two.state_hash and one.tick == two.tick == 40


def test_fields_tell_distances():
    field = throng.distances(HALL, (0, 0))
    assert field.dtype == np.uint32 and field.shape == HALL.shape
    assert field[0, 0] == 0 and field[0, 11] == 11 and field[8, 0] == 8
    assert (field[~HALL] == throng.UNREACHABLE).all()
    assert (throng.World.empty(HALL, "lra").distances((0, 0)) == field).all()
    assert throng.distances(HALL, (0, 0), moves=8)[8, 11] < field[8, 11]


def test_arrays_are_handed_over_and_not_copied():
    run = throng.World.builtin("bridge").run(50)
    assert run.flags.c_contiguous and run.base is not None and run.flags.writeable


def test_maps_of_every_kind(tmp_path):
    hall = throng.read_map(ROOT / "testdata/maps/hall.tmx")
    assert bytes(hall[2]).decode() == "..@@@@.."
    for name in ("a.map", "a.png", "a.tmx", "a.yaml"):
        files = throng.write_map(HALL, tmp_path / name)
        assert all(Path(file).exists() for file in files)
        assert ((throng.read_map(tmp_path / name) == ord(".")) == HALL).all()
    with pytest.raises(throng.ThrongError, match="expected .map"):
        throng.write_map(HALL, tmp_path / "a.txt")
    world = throng.World.open(ROOT / "testdata/maps/hall.tmx")
    world.step(200)
    assert world.done


def test_planners_come_from_the_registry():
    known = {planner["name"]: planner for planner in throng.planners()}
    assert {"lacam", "whca", "pibt", "cbs"} <= set(known)
    window = known["whca"]["parameters"][0]
    assert window["name"] == "window" and window["default"] and window["range"]
    assert known["lacam"]["supports"]["goals"] is True
    assert "bridge" in throng.builtins()


def test_others_run_while_a_world_does():
    world = throng.World.builtin("town")
    seen, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            seen[0] += 1
            time.sleep(0)

    counter = threading.Thread(target=count)
    counter.start()
    before = seen[0]
    world.step(50)
    during = seen[0] - before
    stop.set()
    counter.join()
    assert during > 50, "somebody else gets on meanwhile"


def test_a_call_adds_little():
    """A call to `solve` adds below a millisecond to what the engine takes for next to nothing."""
    small = np.ones((4, 4), dtype=bool)
    took = []
    for _ in range(50):
        begin = time.perf_counter()
        throng.solve(small, [(0, 0)], [(0, 0)], planner="hca")
        took.append(time.perf_counter() - begin)
    assert sorted(took)[25] < 1e-3


def test_the_environment_keeps_to_the_api():
    from pettingzoo.test import parallel_api_test

    env = throng.env.CrowdEnv(HALL, STARTS, GOALS, max_ticks=20)
    parallel_api_test(env, num_cycles=60)


def test_wishes_are_carried_out_without_collisions():
    env = throng.env.CrowdEnv(HALL, [(0, 0), (2, 0)], [(2, 0), (0, 8)], max_ticks=50)
    env.reset(seed=1)
    # Both want the cell between them: one gets it.
    _, rewards, *_ , infos = env.step({"unit_0": 2, "unit_1": 4})
    cells = [tuple(cell) for cell in env.world.positions]
    assert len(set(cells)) == 2 and sum(info["failed"] for info in infos.values()) == 1, (cells, infos)
    assert all(reward < 0 for reward in rewards.values())
    rng = np.random.default_rng(0)
    while env.agents:
        observations, rewards, over, late, infos = env.step({agent: int(rng.integers(5)) for agent in env.agents})
        cells = {tuple(cell) for cell in env.world.positions}
        assert len(cells) == 2 and all(HALL[y, x] for x, y in cells)
        for agent, seen in observations.items():
            assert env.observation_space(agent).contains(seen)
    assert all(late.values())
    # And somebody who goes straight there is there.
    env = throng.env.CrowdEnv(HALL, [(0, 0)], [(2, 0)])
    env.reset()
    env.step({"unit_0": 2})
    _, rewards, over, *_ = env.step({"unit_0": 2})
    assert over == {"unit_0": True} and rewards == {"unit_0": 1.0} and env.agents == []
    with pytest.raises(throng.ThrongError, match="no way leads"):
        throng.env.CrowdEnv(HALL, [(2, 4)], [(0, 0)])


def test_pictures_are_drawn(tmp_path):
    solution = throng.solve(HALL, STARTS, GOALS)
    throng.plot.draw_paths(HALL, solution.plan).figure.savefig(tmp_path / "a.png")
    throng.plot.draw_field(throng.distances(HALL, (0, 0))).figure.savefig(tmp_path / "b.png")
    throng.plot.draw_map(throng.World.builtin("town").terrain).figure.savefig(tmp_path / "c.png")
    throng.plot.animate(HALL, solution.plan[:3]).save(tmp_path / "d.gif", writer="pillow")
    for name in ("a.png", "b.png", "c.png", "d.gif"):
        assert (tmp_path / name).stat().st_size > 1000


@pytest.mark.parametrize("module", [throng, throng.env])
def test_documentation_does_what_it_says(module):
    result = doctest.testmod(module)
    assert result.attempted > 0 and result.failed == 0


def test_the_tutorial_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("THRONG_ROOT", str(ROOT))
    text = (ROOT / "docs/python.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(blocks) >= 5
    known = {}
    for block in blocks:
        exec(compile(block, "docs/python.md", "exec"), known)
