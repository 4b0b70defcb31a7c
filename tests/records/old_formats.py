"""Records written in the layouts of servers that are gone, to the descriptions in the readers: for the tests alone."""

from collections.abc import Iterator

from cubelab.game.play import read_hops
from cubelab.records import Beaver, Double, Pass, Record, Resignation, Roll, Seat, Take


def fibs_steps(text: str, *, up: bool) -> str:
    """A play with points numbered for both sides alike; the side that moves up counts from its far end."""
    if not text:
        return ""

    def place(point: int, edge: str) -> str:
        if point in (0, 25):
            return edge
        return str(25 - point) if up else str(point)

    return " ".join(f"{place(start, 'bar')}-{place(end, 'off')}" for start, end in read_hops(text))


def javafibs(record: Record) -> str:
    """The bottom player keeps the file; who moves up changes with every game."""
    own, other = record.players
    names = {Seat.BOTTOM: "You", Seat.TOP: other}
    lines = ["JavaFIBS internal match representation v1.1", f"8:{other}:{record.length or 9999}"]
    for number, game in enumerate(record.games):
        if number:
            lines.append(f"14:{own}-{game.score[0]}:{other}-{game.score[1]}")
        lines += [f"13:{other}: ", f"6:You:{other}"]
        first = "11"
        for event in game.events:
            if event.seat is None:
                continue
            name = names[event.seat]
            if isinstance(event, Roll):
                lines.append(f"{first}:{name}:{event.dice[0]} {event.dice[1]}")
                first = "0"
                up = (event.seat is Seat.TOP) != bool(number % 2)
                if not event.hidden:
                    steps = "" if event.empty else fibs_steps(event.text, up=up)
                    lines.append(f"1:{name}:{steps} " if steps else f"15:{name}: ")
            elif isinstance(event, Resignation):
                lines.append(f"3:{name}:{game.result.points}")
            else:
                lines.append({Double: f"2:{name}: ", Take: f"4:{name}:", Pass: f"5:{name}:"}[type(event)])
        if game.result.winner is not None:
            lines.append(f"7:{names[game.result.winner]}:{game.result.points}")
    return "\n".join(lines) + "\n"


def oldmoves(record: Record) -> str:
    """X, the bottom player, moves down."""
    lines: list[str] = []
    for game in record.games:
        match = f"in a {record.length} point match." if record.length else "in a money game."
        lines += [f"Score is {game.score[0]}-{game.score[1]} {match}", "{} is X - {} is O".format(*record.players)]
        for event in game.events:
            if event.seat is None:
                continue
            side = "X" if event.seat is Seat.BOTTOM else "O"
            if isinstance(event, Roll):
                steps = "" if event.empty else fibs_steps(event.text, up=side == "O")
                lines.append(f"{side}: ({event.dice[0]} {event.dice[1]})" + (f"  {steps}" if steps else " can't move"))
            else:
                lines.append(f"{side}: { ({Double: 'doubles', Take: 'accepts', Pass: 'rejects'}[type(event)]) }")
        if game.result.winner is not None:
            points = game.result.points
            side = "X" if game.result.winner is Seat.BOTTOM else "O"
            lines.append(f"{side}: wins {points} point{'s' * (points > 1)}")
        lines.append("")
    return "\n".join(lines)


def sgg(record: Record) -> str:
    """Rolls stand once without and once with their play, as in GamesGrid's files."""
    head = ["{} vs. {}".format(*record.players), "Sunday, March 9, 2003", "Jacoby: No", "Crawford: Yes"]
    return "\n".join((*head, *_sgg_lines(record)))


def _sgg_lines(record: Record) -> Iterator[str]:
    for game in record.games:
        stars = ["*" if game.crawford and record.length - points == 1 else "" for points in game.score]
        length = f"/{record.length}" if record.length else ""
        yield f"Game {game.number}.{game.score[0]}{stars[0]}-{game.score[1]}{stars[1]}{length}"
        number, last = 1, None
        for event in game.events:
            if event.seat is None:
                continue
            number += event.seat is Seat.BOTTOM and last is not None
            last = event.seat
            start = f"{number}\t" + "\t" * (event.seat is Seat.TOP)
            if isinstance(event, Roll):
                roll = "{}{}".format(*event.dice)
                if event.empty:
                    yield f"{start}{roll}: O-O"
                else:
                    yield f"{start}{roll}: "
                    yield f"{start}{roll}: {', '.join(event.text.split())}"
            else:
                words = {Double: f"Double to {getattr(event, 'cube', 0)}", Take: "Accept", Pass: "Pass"}
                yield start + {**words, Beaver: f"Beaver to {getattr(event, 'cube', 0)}"}[type(event)]
        if game.result.winner is not None:
            yield f"{record.name(game.result.winner)}  wins {game.result.points} points"
        yield ""


def tmg(record: Record) -> str:
    """Numbers count up for the first player and are negative for the second."""
    head = [
        "MatchID: 512",
        f"Player1: 17 {record.players[0]} 1500.0",
        f"Player2: 18 {record.players[1]} 1600.0",
        "Stake: 0.00",
        "Startdate: 2003-03-09 12:00",
        "Jacoby: 0",
        f"Length: {record.length}",
    ]
    return "\n".join((*head, *_tmg_lines(record)))


def _tmg_lines(record: Record) -> Iterator[str]:
    for game in record.games:
        yield f"Game {game.number}: {game.score[0]}-{game.score[1]}"
        for number, event in enumerate(game.events, 1):
            if event.seat is None:
                continue
            sign = "-" * (event.seat is Seat.TOP)
            start = f"   {sign}{number} "
            if isinstance(event, Roll):
                yield start + "1 {}{}:".format(*event.dice)
                if not event.hidden:
                    yield f"{start}4 {'0/0' if event.empty else event.text}"
            elif isinstance(event, Double):
                yield f"{start}5 Double to {event.cube}"
            elif isinstance(event, (Take, Pass)):
                yield f"{start}7 Take" if isinstance(event, Take) else f"{start}10 Pass"
        winner = game.result.winner
        if winner is not None:
            points = game.result.points
            kind = 13 + (game.result.level or 1)
            yield f"   {'-' * (winner is Seat.TOP)}{number} {kind} {points} {record.name(winner)} wins {points} points"
        yield ""
