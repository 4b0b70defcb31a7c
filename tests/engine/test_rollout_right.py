"""Rollouts are right: exact endings, luck adjustment without bias, identities that hold under every rule."""

from __future__ import annotations

import math
import threading
from dataclasses import replace

import numpy as np
import pytest
from rollout_cases import BEHIND, BLITZ, ENDING, RULES

from cubelab.cube import Verdict
from cubelab.engine.cube_table import cube_table
from cubelab.engine.endings import ending_values
from cubelab.engine.neural import load_nets
from cubelab.engine.pruning import load_pruner
from cubelab.engine.rollout import Rollout
from cubelab.engine.rollout_run import kernel_plan, rollout
from cubelab.engine.rollout_settings import RolloutSettings
from cubelab.engine.tally import OUTCOMES
from cubelab.game import Cube, MatchState, Owner, Position, Rules, Situation
from cubelab.kernels import rollout as kernel
from cubelab.kernels.bearoff import two_sided_row
from cubelab.notation import parse_situation
from cubelab.score.stakes import Stakes


def small_bearoffs(count: int) -> list[np.ndarray]:
    """Positions of 2 to 6 checkers a side that neither side is nearly sure to win."""
    rng, nets, found = np.random.default_rng(12), load_nets(), []
    while len(found) < count:
        board = np.zeros(26, np.int8)
        for point in rng.integers(1, 7, size=rng.integers(2, 7)):
            board[point] += 1
        for point in rng.integers(19, 25, size=rng.integers(2, 7)):
            board[point] -= 1
        if abs(exact_equity(nets, board)) < 0.9:
            found.append(board)
    return found


def exact_equity(nets, board: np.ndarray) -> float:
    return float(nets.bearoff.two_sided[two_sided_row(nets.bearoff, board), 0])


@pytest.fixture(scope="module")
def played_out():
    """Table and plan that play bearoffs to the last checker, with a cube that nobody may turn."""
    table, plan = kernel_plan(rollout(Situation(BLITZ), RolloutSettings(trials=1, truncate=1, seed=9, threads=1)))
    table = table._replace(exact=0, may_turn=np.zeros_like(table.may_turn))
    return table, plan._replace(truncate=10**6, levels=plan.levels[:1], places=plan.places[:1])


def test_z_scores_of_exact_bearoffs_are_standard_normal(played_out):
    nets, trials, squares = load_nets(), 60, 0.0
    table, plan = played_out
    rows = np.empty((trials, 1, kernel.COLUMNS))
    for number, board in enumerate(small_bearoffs(200)):
        # One trial from each block of 1296: within a block dice are balanced, which makes errors smaller than chance.
        for k in range(trials):
            kernel.run_trials(
                table,
                nets,
                load_pruner(),
                plan._replace(reduce=0),
                board,
                1296 * (number * trials + k),
                rows[k : k + 1],
            )
        assert (rows[:, 0, kernel.ENDING] == kernel.PLAYED).all()
        truth = exact_equity(nets, board)
        z = (rows[:, 0, kernel.RAW_VALUE].mean() - truth) / math.sqrt((1 - truth**2) / trials)
        assert abs(z) < 4.5
        squares += z * z
    # Within 3.3 standard deviations of chi-square with 200 degrees of freedom.
    assert abs(squares - 200) < 3.3 * 20


def test_luck_adjusted_exact_bearoffs_have_no_error(played_out):
    # Evaluated without error, luck is all there is: every single trial gives the exact value.
    nets, (table, plan) = load_nets(), played_out
    for board in small_bearoffs(20):
        rows = np.empty((6, 1, kernel.COLUMNS))
        kernel.run_trials(table, nets, load_pruner(), plan, board, 0, rows)
        np.testing.assert_allclose(rows[:, 0, kernel.VALUE], exact_equity(nets, board), atol=2e-5)
        assert np.ptp(rows[:, 0, kernel.RAW_VALUE]) in (0.0, 2.0)


@pytest.mark.parametrize("name", RULES)
def test_luck_adjustment_is_unbiased_under_every_rule(name):
    match, cube = RULES[name]
    situation = Situation(BEHIND, cube, match)
    raw = rollout(situation, RolloutSettings(trials=1296, variance_reduction=False, keep_trials=False))
    adjusted = rollout(situation, RolloutSettings(trials=216, seed=77, keep_trials=False))
    spread = raw.moments.covariance().diagonal() + adjusted.moments.covariance().diagonal()
    for branch in range(raw.branches):
        for place in range(branch * 14, branch * 14 + 14):
            if place % 14 == 1 or place % 14 >= 8:
                continue
            difference = raw.moments.means()[place] - adjusted.moments.means()[place]
            assert abs(difference) < 4.2 * math.sqrt(spread[place]) + 1e-6, (name, place)


@pytest.mark.parametrize("name", RULES)
def test_threads_change_nothing_under_any_rule(name):
    match, cube = RULES[name]
    settings = RolloutSettings(trials=48, seed=5, truncate=7)
    results = [rollout(Situation(BLITZ, cube, match), replace(settings, threads=n)) for n in (1, 2, 3)]
    assert (results[0].rows == results[1].rows).all()
    assert (results[0].rows == results[2].rows).all()
    assert results[0].to_dict() | {"games_per_second": 0} == results[2].to_dict() | {"games_per_second": 0}


@pytest.mark.parametrize("settings", [{"ply": 1, "deep_moves": 1}, {"cube_ply": 1}, {"variance_reduction": False}])
def test_threads_change_nothing_in_deeper_trials(settings):
    given = {"trials": 12, "truncate": 3, "seed": 5} | settings
    one, three = (rollout(Situation(BLITZ), RolloutSettings(**given, threads=n)) for n in (1, 3))
    assert (one.rows == three.rows).all()


@pytest.mark.parametrize(
    "situation",
    [
        Situation(ENDING, Cube(), MatchState(7, 3, 6, crawford=True)),
        Situation(ENDING, Cube(2, Owner.OPPONENT), MatchState(rules=Rules(cube_cap=2))),
        Situation(ENDING, Cube(2, Owner.OPPONENT), MatchState(3, 1, 1)),
    ],
    ids=["Crawford", "cap", "dead"],
)
def test_a_cube_that_cannot_be_turned_changes_nothing(situation):
    settings = RolloutSettings(trials=36, seed=3)
    cubeful, cubeless = rollout(situation, settings), rollout(situation, replace(settings, cubeful=False))
    assert cubeful.branches == 1
    assert not cubeful.decision.cube_allowed
    np.testing.assert_allclose(cubeful.rows[:, 0, :14], cubeless.rows[:, 0, :14], atol=1e-9)
    assert cubeful.cube_statistics().cube.unique().tolist() == [situation.cube.value]


def test_exact_values_need_a_cube_without_a_cap():
    assert cube_table(Stakes.of(MatchState(), Cube()), None).exact == 1
    assert cube_table(Stakes.of(MatchState(rules=Rules(cube_cap=4)), Cube()), None).exact == 0
    assert cube_table(Stakes.of(MatchState(5, 1, 1), Cube()), None).exact == 0


def test_owning_the_cube_is_worth_at_least_as_much():
    # Same dice, so even a few trials put the owners in order (Janowski 1993: mine >= centred >= theirs).
    settings = RolloutSettings(trials=324, seed=6)
    cubes = [Cube(2, Owner.OPPONENT), Cube(1), Cube(2, Owner.MOVER)]
    values = [rollout(Situation(ENDING, cube), settings) for cube in cubes]
    equities = [r.decision.equities.no_double for r in values]
    assert equities[0] <= equities[2] + 3 * math.hypot(values[0].se.no_double, values[2].se.no_double)
    assert equities[1] <= equities[2] + 3 * math.hypot(values[1].se.no_double, values[2].se.no_double)


def test_immediate_redoubles_agree_with_exact_endings():
    # Two-roll endings, solved exactly under the rule by an algorithm that shares nothing with the trials.
    board = [0] * 26
    for point, count in ((6, 1), (4, 1), (3, 1), (21, -1), (20, -2)):
        board[point] += count
    rules = Rules(immediate_redouble=True, cube_cap=8)
    situation = Situation(Position(tuple(board)), Cube(), MatchState(rules=rules))
    result = rollout(situation, RolloutSettings(trials=1296, keep_trials=False))
    exact = ending_values(situation.position, result.stakes)
    assert result.branches == 3
    means, spread = result.moments.mean_values(), np.sqrt(result.moments.value_covariance().diagonal())
    assert abs(means[0] - exact.no_double) < 4 * spread[0] + 0.01
    assert result.to_frame().option.tolist()[:4] == ["no double", "double, take", "double, redouble", "double, pass"]


def test_a_wrong_double_is_redoubled_at_once():
    rules = Rules(immediate_redouble=True)
    race = Situation(Position.from_id("WwQAgO8DAAAAAA"), Cube(), MatchState(rules=rules))
    result = rollout(race, RolloutSettings(trials=36))
    # Behind, but not so far that the mover has no take: worse with the cube at 4 than with the opponent's at 2.
    equities = result.decision.equities
    assert equities.double_redouble < equities.double_take
    assert result.decision.verdict is Verdict.NO_DOUBLE_REDOUBLE
    assert -2.0 <= equities.double_redouble < -1.0


def test_gammons_count_only_after_a_turn_under_jacoby():
    # CASES.md 16: the double/take branch does not know the rule, the other one is the poorer for it.
    given = RolloutSettings(trials=108, seed=2)
    plain = rollout(Situation(BLITZ, Cube(), MatchState()), given)
    jacoby = rollout(Situation(BLITZ, Cube(), MatchState(rules=Rules(jacoby=True))), given)
    assert (plain.rows[:, 1] == jacoby.rows[:, 1]).all()
    ended_at_once = jacoby.rows[(jacoby.rows[:, 0, kernel.LEVEL] == 0), 0]
    assert set(np.abs(ended_at_once[ended_at_once[:, kernel.ENDING] == kernel.PLAYED][:, kernel.RAW_VALUE])) <= {1.0}


def test_counts_agree_with_the_trials():
    result = rollout(Situation(BLITZ), RolloutSettings(trials=144, seed=4))
    frame, cube = result.trials, result.cube_statistics()
    assert cube.groupby("branch").trials.sum().to_dict() == {"no double": 144, "double, take": 144}
    for branch, trials in frame.groupby("branch"):
        mine = cube[cube.branch == branch]
        assert mine.groupby("cube").trials.sum().to_dict() == trials.groupby("cube").size().to_dict()
        passed = mine[mine.outcome.str.contains("passed")].trials.sum()
        assert passed == (trials.ending == "passed").sum()
        # Passed by the opponent means won: the raw result is the cube.
        won = trials[(trials.ending == "passed") & (trials.equity_raw > 0)]
        assert mine[mine.outcome == "opponent passed"].trials.sum() == len(won)
        turns = result.first_turns()
        assert turns[turns.branch == branch].trials.sum() == trials.first_turn.notna().sum()
        assert result.tally.mean_length(0 if branch == "no double" else 1) == pytest.approx(trials.half_moves.mean())
    assert set(cube.outcome) <= set(OUTCOMES)


def test_convergence_ends_where_the_result_is():
    result = rollout(Situation(BLITZ), RolloutSettings(trials=72, seed=4, truncate=6))
    frame = result.convergence(points=10)
    last = frame[frame.trials == 72].set_index("series")
    assert last.loc["no double", "mean"] == pytest.approx(result.decision.equities.no_double, abs=1e-9)
    assert last.loc["difference", "se"] == pytest.approx(result.se.difference, rel=1e-4)
    assert (frame.dropna().low <= frame.dropna()["mean"]).all()


def test_text_and_html_say_what_the_numbers_are():
    result = rollout(Situation(BLITZ), RolloutSettings(trials=36, truncate=6))
    cubeless = rollout(Situation(BLITZ), RolloutSettings(trials=36, truncate=6, cubeful=False))
    for shown in (str(result), result._repr_html_()):
        assert "36 trials" in shown
        assert result.decision.label in shown
    # CASES.md 42: chances of a cubeful rollout are not those of games played to the end.
    assert "by a pass" in result._repr_html_()
    assert "by a pass" not in cubeless._repr_html_()
    assert "no double" not in str(cubeless)
    assert result.to_frame().option.tolist() == ["no double", "double, take", "double, pass", "difference", "cubeless"]


def test_memory_stays_flat_when_trials_are_not_kept():
    resource = pytest.importorskip("resource")
    settings = RolloutSettings(trials=3_000, truncate=1, variance_reduction=False, keep_trials=False)
    small = rollout(Situation(BLITZ), settings)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    large = small.extend(57_000)
    assert large.count == 60_000
    assert large.rows is None
    # Kept, the rows would take 18 MB.
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 8_000


def test_trials_stop_when_told():
    result = rollout(Situation(BLITZ), RolloutSettings(trials=1))
    table, plan = kernel_plan(result)
    rows = np.empty((1_000_000, 2, kernel.COLUMNS))
    thread = threading.Thread(
        target=kernel.run_trials, args=(table, load_nets(), load_pruner(), plan, BLITZ.array, 0, rows)
    )
    thread.start()
    plan.halt[0] = 1
    thread.join(timeout=60)
    assert not thread.is_alive()


def test_settings_taken_in_turns_do_not_disturb_each_other():
    # CASES.md 30, 44: money and match, deep and shallow, alternately.
    situations = [Situation(BLITZ), Situation(BLITZ, Cube(), MatchState(7, 5, 3))]
    modes = [RolloutSettings(trials=2, truncate=2), RolloutSettings(trials=2, truncate=2, cube_ply=1)]
    first = [rollout(s, m).rows for s in situations for m in modes]
    for _ in range(5):
        again = [rollout(s, m).rows for s in situations for m in modes]
        assert all((a == b).all() for a, b in zip(first, again, strict=True))


def test_counts_survive_a_file(tmp_path):
    path = tmp_path / "r.npz"
    rollout(Situation(ENDING), RolloutSettings(trials=2, truncate=1)).save(path)
    again = Rollout.load(path)
    assert again.cube_statistics().equals(rollout(Situation(ENDING), again.settings).cube_statistics())


def test_positions_of_another_phase_end_where_the_tables_begin():
    # One checker each outside: a race by the network, then, without the cube, the exact chances of the bearoff.
    race = Position((0, 3, 3, 2, 0, 0, 0, 1, *[0] * 9, -1, 0, -2, -3, -3, 0, 0, 0, 0))
    result = rollout(Situation(race), RolloutSettings(trials=36, cubeful=False))
    assert set(result.trials.ending) == {"exact"}


def test_pruned_plays_save_backgammons():
    # A gammon is nearly certain, only the backgammon is at stake. Open Sage's rollout (2-ply, 1296 trials) has an
    # equity of -1.442 ± .007, ours without pruning -1.449 ± .004; pruned by wins and gammons alone -1.536 ± .012.
    situation = Situation(Position.from_id("s90ACjDmmwEAcg"), match=MatchState(rules=Rules(jacoby=False)))
    result = rollout(situation, RolloutSettings(trials=324, cubeful=False, threads=1))
    assert result.cubeless == pytest.approx(-1.442, abs=0.04)


@pytest.mark.parametrize("away", [3, 5])
def test_the_trailer_turns_the_cube_at_once_after_the_crawford_game(away):
    """An odd number away the leader has no free drop: the trailer loses nothing by doubling at once, only by waiting.

    The value of waiting has the later double priced in, so both are nearly equal: a rollout that takes this for "no
    double" waits for ever.
    """
    start = Situation(Position.start(), match=MatchState(7, 7 - away, 6))
    frame = rollout(start, RolloutSettings(trials=72, threads=1, keep_trials=True)).trials
    waited = frame[frame.branch == "no double"]
    assert (waited.first_turn == 2).all()


def test_what_waiting_a_turn_costs_after_the_crawford_game():
    """Trailer 4 away: two other programs put the difference at .030 and .034 EMG (reference row 177 of the scores)."""
    late = parse_situation("XGID=-BbDCB--B----b---b-cbbBb--:0:0:1:00:3:6:0:7:10")
    equities = rollout(late, RolloutSettings(trials=216, threads=1)).decision.equities
    assert equities.double_take is not None
    assert equities.double_take - equities.no_double == pytest.approx(0.032, abs=0.03)


@pytest.mark.parametrize(
    ("text", "programs"),
    [
        ("XGID=-bcBBCBDB--------aa--bacb-:0:0:1:00:7:10:0:11:10", (1.394, 1.381)),
        ("XGID=a-BcCBCA--AAc----b-db--AA-:0:0:1:00:3:4:0:5:10", (1.210, 1.206)),
    ],
)
def test_playing_on_with_a_cube_that_may_be_turned_later(text, programs):
    """Trailers who are too good after the Crawford game: two other programs' 2-ply equities of playing on."""
    decision = rollout(parse_situation(text), RolloutSettings(trials=216, threads=1)).decision
    assert decision.verdict is Verdict.TOO_GOOD_PASS
    assert decision.equities.no_double == pytest.approx(sum(programs) / 2, abs=0.09)
