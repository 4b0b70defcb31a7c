"""Files of eXtreme Gammon built record by record, for cases no real file at hand has."""

import struct
import zlib

from cubelab.game import Position

RECORD = 2560
START = Position.start().board


def header(*, length=7, players=("Anna", "Bernd"), crawford=1, jacoby=0, beaver=0):
    record = bytearray(RECORD)
    record[8] = 0
    struct.pack_into("<II", record, 92, length, 0)
    record[100:103] = bytes((crawford, jacoby, beaver))
    struct.pack_into("<i", record, 612, 10)
    for name, place in zip(players, (880, 1138), strict=True):
        letters = name.encode("utf-16-le")
        record[place : place + len(letters)] = letters
    return record


def game(*, score=(0, 0), crawford=0, board=START, number=1, comments=(-1, -1)):
    record = bytearray(RECORD)
    record[8] = 1
    struct.pack_into("<II", record, 12, *score)
    record[20] = crawford
    struct.pack_into("26b", record, 21, *board)
    struct.pack_into("<iii", record, 48, number, 0, comments[0])
    struct.pack_into("<i", record, 60, comments[1])
    return record


def cube(
    actor, *, doubled=1, taken=-1, beavered=-1, raccooned=-1, value=0, equities=None, level=2, board=START, comment=-1
):
    record = bytearray(RECORD)
    record[8] = 2
    struct.pack_into("<i", record, 292, comment)
    struct.pack_into("<iiiiii", record, 12, actor, doubled, taken, beavered, raccooned, value)
    struct.pack_into("26b", record, 36, *board)
    struct.pack_into("<i", record, 92, level)
    struct.pack_into("<d", record, 200, -1000.0 if equities is None else 0.0)
    if equities is not None:
        struct.pack_into("<7f", record, 124, 0.01, 0.12, 0.4, 0.6, 0.2, 0.02, 0.3)
        struct.pack_into("<3f", record, 152, *equities)
    return record


def move(actor, dice, steps, *, before=START, after=START, comment=-1):
    """`before` is seen by player 1, `after` by the mover, `steps` count from 0."""
    record = bytearray(RECORD)
    record[8] = 3
    struct.pack_into("26b", record, 9, *before)
    struct.pack_into("26b", record, 35, *after)
    struct.pack_into("<i", record, 64, actor)
    struct.pack_into("<8i", record, 68, *(list(steps) + [-1] * 8)[:8])
    struct.pack_into("<ii", record, 100, *dice)
    struct.pack_into("<d", record, 2320, -1000.0)
    struct.pack_into("<i", record, 2524, comment)
    return record


def end(winner, points, ending):
    record = bytearray(RECORD)
    record[8] = 4
    struct.pack_into("<iii", record, 24, winner, points, ending)
    return record


def build(*records, picture=b"", extra=None, trailer=True, comments=b""):
    """A whole file; `extra` is the name of an unknown embedded stream put before the games."""
    streams = [("temp.xg", b"".join(bytes(record) for record in records))]
    if comments:
        streams.append(("temp.xgc", comments))
    if extra:
        streams.insert(0, (extra, b"unknown" * 100))
    head = bytearray(8232)
    head[:4] = b"RGMH"
    struct.pack_into("<iI", head, 4, 1, len(head))
    struct.pack_into("<I", head, 20, len(picture))
    content, index = b"", b""
    for name, data in streams:
        packed = zlib.compress(data)
        entry = bytearray(532)
        entry[0] = len(name)
        entry[1 : 1 + len(name)] = name.encode()
        struct.pack_into("<III", entry, 512, len(data), len(packed), len(content))
        index += entry
        content += packed
    data = bytes(head) + picture + content
    if trailer:
        packed_index = zlib.compress(index)
        data += packed_index + struct.pack("<Iiiiii12x", 0, len(streams), 1, len(packed_index), len(content), 1)
    return data
