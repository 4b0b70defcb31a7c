"""``cubelab play``: a game against the engine in the terminal."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..wording import counted
from .asking import read_line
from .combining import refuse_idle
from .inputs import chosen_met
from .printing import print_table, print_text, signed
from .program import say
from .startup import prepare_engine

if TYPE_CHECKING:
    from ..cube.decision import CubeDecision, Loss
    from ..game.play import Play
    from ..practice.opponent import Opponent
    from ..practice.session import Session
    from ..practice.table import Table
    from ..records.record import Seat

#: Smaller losses of a turn on which the cube was left alone are not worth a word.
_WORTH_A_WORD = 0.02
_HELP = """\
A play is typed as usual: 13/7 8/7, bar/20*, 6/off(2), or by its number in the list that `hint` shows.
  Enter or roll   roll the dice          double          double
  take, pass      answer a double        beaver          take and turn the cube again at once (money)
  hint            what the engine thinks board           draw the board again
  list            all legal plays        resign [1|2|3]  give up a single game, a gammon, a backgammon
  quit            stop; --save keeps what was played"""


class _Quit(Exception):
    """The human has left the table."""


@click.command(short_help="Play against the engine.")
@click.option("--length", type=click.IntRange(1, 64), default=5, show_default=True, help="Points of the match.")
@click.option("--money", is_flag=True, help="Money play instead of a match.")
@click.option("--games", type=click.IntRange(1), default=1, show_default=True, help="Games of a money session.")
@click.option("--jacoby/--no-jacoby", default=True, show_default=True, help="Money play: the Jacoby rule or not.")
@click.option("--beavers/--no-beavers", default=False, show_default=True, help="Money play: beavers or not.")
@click.option("--ply", type=click.IntRange(0, 3), default=2, show_default=True, help="Look-ahead of the engine.")
@click.option("--met", "met_name", metavar="NAME|FILE", help="Match equity table. Default: kazaross-xg2.")
@click.option("--seed", type=int, help="Of the dice, to play the same rolls again. Default: one that is printed.")
@click.option("--tutor/--no-tutor", default=True, show_default=True, help="Say after each decision what it cost.")
@click.option("--name", default="you", show_default=True, help="Your name in the saved match.")
@click.option("--save", type=click.Path(path_type=Path), metavar="FILE", help="Keep the match: .mat, .sgf or .json.")
def play(length, money, games, jacoby, beavers, ply, met_name, seed, tutor, name, save) -> int:
    """Play against the engine: you are X and move towards the lower right, the engine is O.

    \b
    Example:
      cubelab play --length 3 --seed 7 --save match.mat
    """
    from ..game import Rules
    from ..practice.opponent import Opponent
    from ..practice.session import Session
    from ..records.write import ENDINGS
    from .paths import output_path

    if save is not None:
        if save.suffix.casefold() not in ENDINGS:
            raise click.BadParameter(f"{save}: a match is kept as one of {', '.join(ENDINGS)}", param_hint="--save")
        output_path(save, "--save")
    if money:
        refuse_idle("length", "met_name", why="is for a match: leave out --money")
    else:
        refuse_idle("games", "jacoby", "beavers", why="is for money play: give --money too")
    met = chosen_met(met_name)
    seed = secrets.randbelow(10**6) if seed is None else seed
    rules = Rules(jacoby=jacoby, beavers=int(beavers)) if money else Rules()
    session = Session(0 if money else length, rules, (" ".join(name.split()) or "you", "cubelab"), seed)
    prepare_engine(plays=True)
    print_text(
        f"{'Money play' if money else f'Match to {length}'}, {ply}-ply, seed {seed}. Type help for the commands."
    )
    game = _Terminal(session, Opponent(ply, met), tutor)
    try:
        for _ in range(games if money else 10**6):
            game.play_game()
            if session.match is None:
                break
    except (_Quit, EOFError, KeyboardInterrupt):
        print()
        print_text("Stopped before the end.")
    finally:
        game.leave(save)
    return 0


class _Terminal:
    """The human at the bottom, the engine at the top."""

    def __init__(self, session: Session, opponent: Opponent, tutor: bool):
        self.session, self.opponent, self.tutor = session, opponent, tutor
        self.table: Table | None = None
        self.offered: tuple[Play, ...] = ()
        self.losses: list[tuple[str, float]] = []

    def play_game(self) -> None:
        """One game from the opening roll to its result."""
        from ..records.record import Seat

        self.table = table = self.session.next_game()
        seat, dice = self.session.opening()
        table.opens(seat)
        print()
        print_text(f"Game {table.number}: {self.name(seat)} won the opening roll, {dice[0]}{dice[1]}.")
        table.roll(dice)
        while table.result is None:
            if table.seat is Seat.BOTTOM:
                self.human()
            else:
                self.engine()
        self.session.finish(table)
        self.table = None
        result, score = table.result, self.session.score
        assert result.winner is not None
        level = {2: " with a gammon", 3: " with a backgammon"}.get(result.level or 1, "")
        points = counted(result.points or 0, "point")
        print_text(f"{self.name(result.winner)} won {points}{level}. Score: {score[0]}-{score[1]}.")

    def leave(self, save: Path | None) -> None:
        """Say how it went and keep the match."""
        from ..records.write import write_match

        if self.table is not None and self.table.events:
            self.session.finish(self.table)
        if self.losses:
            print()
            for kind in ("play", "cube"):
                costs = [cost for what, cost in self.losses if what == kind]
                if costs:
                    wrong = sum(cost >= _WORTH_A_WORD for cost in costs)
                    what = "plays" if kind == "play" else "cube decisions"
                    print_text(f"Your {what}: {len(costs)}, {wrong} of them errors; they cost {sum(costs):.3f} in all.")
        if save is not None:
            for lost in write_match(self.session.record(), save):
                say(f"{save} has no place for {lost}")
            print_text(f"Kept in {save}: cubelab analyse {save} --checker-play")

    def name(self, seat: Seat) -> str:
        return self.session.names[seat.index]

    # The engine's turn

    def engine(self) -> None:
        """One action of the engine."""
        table = self.table
        assert table is not None
        situation, name = table.situation, self.session.names[1]
        if situation.offer is not None:
            answer = _response(self.opponent.cube(situation))
            if answer == "pass":
                print_text(f"{name} passes.")
                table.drop()
            elif answer == "beaver" and table.may_beaver:
                print_text(f"{name} beavers: the cube is at {4 * situation.cube.value}.")
                table.beaver()
            else:
                print_text(f"{name} takes.")
                table.take()
            return
        if situation.dice is None:
            if table.may_double and self.opponent.cube(situation).turned:
                print_text(f"{name} doubles to {2 * situation.cube.value}.")
                table.double()
                return
            table.roll(self.session.throw())
        self.engine_plays()

    def engine_plays(self) -> None:
        from ..game.play import Play

        table = self.table
        assert table is not None
        situation = table.situation
        assert situation.dice is not None
        ranked = self.opponent.plays(situation)
        play = ranked[0].play if len(ranked) else Play(situation.position, ())
        print_text(f"{self.session.names[1]} rolls {situation.dice[0]}{situation.dice[1]}: {play.notation}")
        table.play(play)

    # The human's turn

    def human(self) -> None:
        """One action of the human."""
        table = self.table
        assert table is not None
        if table.situation.offer is not None:
            self.answers()
        elif table.situation.dice is None:
            self.doubles_or_rolls()
        else:
            self.plays()

    def answers(self) -> None:
        table = self.table
        assert table is not None
        self.draw()
        actions = {"t": "take", "take": "take", "p": "pass", "pass": "pass", "drop": "pass", "d": "pass"}
        if table.may_beaver:
            actions |= {"b": "beaver", "beaver": "beaver"}
        answer = self.ask("take, pass or beaver? " if table.may_beaver else "take or pass? ", actions)
        if self.tutor:
            decision = self.opponent.cube(table.situation)
            self.judge("cube", decision.response_error(answer), f"{_response(decision)} is right", always=True)
        {"take": table.take, "pass": table.drop, "beaver": table.beaver}[answer]()

    def doubles_or_rolls(self) -> None:
        table = self.table
        assert table is not None
        drawn = table.may_double
        if drawn:
            self.draw()
            actions = {"": "roll", "r": "roll", "roll": "roll", "d": "double", "double": "double", "redouble": "double"}
            action = self.ask("roll or double? ", actions)
            if table.result is not None:
                return
            if self.tutor:
                decision = self.opponent.cube(table.situation)
                self.judge("cube", decision.error(action == "double"), decision.label, always=action == "double")
            if action == "double":
                table.double()
                return
        table.roll(self.session.throw())
        self.plays(drawn=drawn)

    def plays(self, *, drawn: bool = False) -> None:
        """The human plays the roll that waits; `drawn`: the board before it stands on the screen."""
        from ..errors import CubelabError
        from ..game.play import Play, legal_plays

        table = self.table
        assert table is not None
        situation = table.situation
        assert situation.dice is not None
        roll = f"{situation.dice[0]}{situation.dice[1]}"
        legal = legal_plays(situation.position, situation.dice)
        if len(legal) < 2:
            play = legal[0] if legal else Play(situation.position, ())
            print_text(f"You roll {roll}: {play.notation}{' (the only play)' if legal else ''}")
            table.play(play)
            return
        if drawn:
            print_text(f"You roll {roll}.")
        else:
            self.draw()
        self.offered = ()
        while True:
            text = self.ask(f"{roll}: ", None)
            if table.result is not None:
                return
            try:
                if text.isdigit() and 0 < int(text) <= len(self.offered):
                    play = self.offered[int(text) - 1]
                else:
                    play = Play.parse(text, situation.position, situation.dice)
                break
            except CubelabError as error:
                print_text(str(error))
        if self.tutor:
            ranked = self.opponent.plays(situation, play)
            entry, best = ranked.find(play.after), ranked[0]
            loss = _loss(entry.error_emg)
            self.judge("play", loss, f"{best.play.notation} is best ({signed(best.equity)})", always=True)
        table.play(play)

    def ask(self, prompt: str, actions: dict[str, str] | None) -> str:
        """The next answer that is one of `actions` (any text where None), commands in between carried out."""
        table = self.table
        assert table is not None
        while True:
            text = read_line(prompt)
            words = text.casefold().split()
            command = words[0] if words else ""
            if command in ("help", "?"):
                print(_HELP)
            elif command in ("quit", "exit", "q"):
                raise _Quit
            elif command == "board":
                self.draw()
            elif command == "hint":
                self.hint()
            elif command == "list" and table.situation.dice is not None:
                self.list_plays()
            elif command == "resign" and table.situation.offer is None:
                self.resign(words[1:])
                if table.result is not None:
                    return ""
            elif actions is None:
                return text.strip()
            elif text.strip().casefold() in actions:
                return actions[text.strip().casefold()]
            else:
                print_text(f"Not one of {', '.join(sorted({*actions.values()}))}; help lists the commands.")

    def draw(self) -> None:
        from ..notation.board import board_text

        assert self.table is not None
        print()
        print(board_text(self.table.situation))

    def hint(self) -> None:
        """What the engine thinks of what is to decide."""
        table = self.table
        assert table is not None
        if table.situation.dice is None:
            decision = self.opponent.cube(table.situation)
            print_text(str(decision))
            return
        ranked = self.opponent.plays(table.situation)[:5]
        self.offered = tuple(entry.play for entry in ranked)
        rows = [
            (str(n), entry.play.notation, signed(entry.equity), signed(-entry.error_emg) if n > 1 else "")
            for n, entry in enumerate(ranked, start=1)
        ]
        print_table(("", "play", "equity", "against the best"), rows, right={"equity", "against the best"})

    def list_plays(self) -> None:
        from ..game.play import legal_plays

        assert self.table is not None
        situation = self.table.situation
        self.offered = legal_plays(situation.position, situation.dice)
        print_table(("", "play"), [(str(n), play.notation) for n, play in enumerate(self.offered, start=1)])

    def resign(self, words: list[str]) -> None:
        from ..records.record import Seat

        table = self.table
        assert table is not None
        level = {"": 1, "1": 1, "single": 1, "2": 2, "gammon": 2, "3": 3, "backgammon": 3}.get(" ".join(words))
        if level is None:
            print_text("resign, resign 2 (a gammon) or resign 3 (a backgammon)")
        elif self.opponent.accepts(table.situation, level):
            print_text(f"{self.session.names[1]} accepts.")
            table.resign(Seat.BOTTOM, level)
        else:
            print_text(f"{self.session.names[1]} plays on: it hopes for more than that.")

    def judge(self, kind: str, loss: Loss | None, right: str, *, always: bool) -> None:
        """Say what a decision cost."""
        if loss is None:
            return
        self.losses.append((kind, loss.emg))
        if loss.emg < 5e-4:
            if always:
                print_text("Right.")
        elif always or loss.emg >= _WORTH_A_WORD:
            print_text(f"That cost {loss.emg:.3f}: {right}.")


def _loss(emg: float) -> Loss:
    from ..cube.decision import Loss

    return Loss(emg)


def _response(decision: CubeDecision) -> str:
    return "take" if decision.verdict is None else decision.verdict.response
