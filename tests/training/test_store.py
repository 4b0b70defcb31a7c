"""Checkpoints, resuming, export, and what happens to bad files and full disks."""

import errno
import json
import os
import threading

import numpy as np
import pytest

import cubelab.training.store as store
from cubelab.engine import neural
from cubelab.errors import DataMissing
from cubelab.training import __main__ as command
from cubelab.training import pruning, race
from cubelab.training.export import export
from cubelab.training.fit import new_fit
from cubelab.training.labelling import generate, label_chunk
from cubelab.training.limits import TrainingStopped
from cubelab.training.pruning import new_lessons, pruner_of
from cubelab.training.run import Replay, Trainer
from cubelab.training.schedule import Schedule
from cubelab.training.shipping import write_weights
from cubelab.training.store import NETS, Folder, folded, nets_of


class NoMoreChunks:
    """Stands for the generator processes: ends the stage when a chunk is missing."""

    def check(self):
        raise StopIteration


def trained(path, chunks):
    """Go on from the folder's checkpoint until all its chunks are used; no first stage."""
    for k, chunk in enumerate(chunks):
        store.write_arrays(Folder(path).chunk(k), chunk)
    trainer = Trainer(Folder(path), 5, Schedule(td_chunks=0))
    with pytest.raises(StopIteration):
        trainer.second_stage(float("inf"), NoMoreChunks())
    return trainer


def same(fits, others):
    return all(
        np.array_equal(a, b)
        for name in NETS
        for part in ("weights", "average", "first", "second")
        for a, b in zip(getattr(fits[name], part), getattr(others[name], part), strict=True)
    )


@pytest.fixture
def folder(tmp_path):
    """A folder with an untrained checkpoint."""
    result = Folder(tmp_path)
    fits = {name: new_fit(k) for k, name in enumerate(NETS)}
    result.save_checkpoint(fits, new_lessons(3), {"chunks": 0, "labels": 0, "seconds": 0})
    return result


def test_the_contact_networks_begin_as_copies_of_one(folder):
    trainer = Trainer(folder, 5, Schedule(td_chunks=0, birth=1000))
    fits = trainer.fits
    assert all(fits[name] is fits["mutual"] for name in NETS if name != "race")
    assert fits["race"] is not fits["mutual"]
    assert set(trainer.replay) == {"mutual", "race"}
    race = fits["race"]
    trainer.progress["labels"] = 1500
    trainer._give_birth()
    assert len({id(fit) for fit in fits.values()}) == len(NETS)
    assert fits["race"] is race
    for name in NETS:
        if name not in ("mutual", "race"):
            np.testing.assert_array_equal(fits[name].weights.w1, fits["mutual"].weights.w1)
            assert not np.shares_memory(fits[name].weights.w1, fits["mutual"].weights.w1)
    assert set(trainer.replay) == set(NETS)


def test_the_step_size_falls_begins_anew_and_falls_to_nothing():
    schedule = Schedule(half=500, rate=0.1, cycles=((600, 0.08, 1000), (1000, 0.04, 1500)), decay=0.3)
    assert schedule.total == 1500
    assert schedule.step(0) == 0.1
    assert schedule.step(500) == pytest.approx(0.05)
    assert schedule.step(600) == pytest.approx(0.08)
    assert schedule.step(900) == pytest.approx(0.02)
    assert schedule.step(999) == pytest.approx(0.0002)
    assert schedule.step(1000) == pytest.approx(0.04)
    assert schedule.step(1250) == pytest.approx(0.02)
    assert schedule.step(1500) == schedule.step(2000) == 0
    assert schedule.shrinking(0) == 0.3
    assert schedule.shrinking(500) == pytest.approx(0.15)


def test_exploration_falls_and_there_is_none_in_the_first_stage():
    schedule = Schedule(td_chunks=5, size=10, explore=((20, 0.3), (60, 0.1)))
    assert [schedule.exploring(k) for k in (0, 4, 5, 7, 9, 11, 50)] == pytest.approx([0, 0, 0.3, 0.3, 0.2, 0.1, 0.1])


def test_only_the_latest_labels_are_learned_from():
    schedule = Schedule(size=10, fresh=0.5, least=30)
    assert [schedule.window_chunks(labels) for labels in (0, 60, 100, 200)] == [3, 3, 5, 10]
    assert Schedule().window_chunks(Schedule().total) <= store.KEEP_CHUNKS
    replay, rng = Replay(12), np.random.default_rng(1)
    assert replay.draw(rng, 0, 3).shape == (0,)
    for chunk, rows in enumerate((5, 3, 2, 4)):
        replay.add(np.full((rows, 26), chunk, np.int8), np.zeros((rows, 6), np.float32))

    def drawn(chunks):
        return set(replay.boards[replay.draw(rng, 1000, chunks), 0].tolist())

    assert drawn(1) == {3}
    assert drawn(3) == {1, 2, 3}
    assert drawn(9) == {0, 1, 2, 3}
    assert (replay.boards[:, 0] == 0).sum() == 3  # two of the oldest had to go


def test_resuming_gives_the_same_network(tmp_path):
    nets = nets_of(folded({name: new_fit(k) for k, name in enumerate(NETS)}))
    pruner = pruner_of(new_lessons(1))
    chunks = [label_chunk(nets, pruner, seed, 0, 0.5, Schedule(td_size=1500)) for seed in range(2)]
    whole = trained(tmp_path / "whole", chunks)
    assert trained(tmp_path / "parts", chunks[:1]).progress["chunks"] == 1
    parts = trained(tmp_path / "parts", chunks)
    assert parts.progress["chunks"] == whole.progress["chunks"] == 2
    assert parts.fits["mutual"].steps[0] > 1
    assert same(whole.fits, parts.fits)
    assert parts.lessons.steps[0] > 1
    assert all(np.array_equal(a, b) for a, b in zip(whole.lessons, parts.lessons, strict=True))


def test_checkpoint_round_trip(folder):
    fits, lessons, progress = folder.load_checkpoint()
    folder.save_checkpoint(fits, lessons, {**progress, "chunks": 3})
    again, lessons_again, progress = folder.load_checkpoint()
    assert same(fits, again)
    assert all(np.array_equal(a, b) for a, b in zip(lessons, lessons_again, strict=True))
    assert progress["chunks"] == 3


def test_checkpoint_without_pruning_network_is_only_exported(folder, tmp_path, capsys):
    arrays = {name: a for name, a in store.read_arrays(folder.checkpoint).items() if not name.startswith("pruner.")}
    arrays["progress"] = np.array(json.dumps({"chunks": 900, "labels": 5, "seconds": 0}))
    store.write_arrays(folder.checkpoint, arrays)
    assert "chunk 900" in export(folder, tmp_path / "weights")
    assert command.main(["run", "--folder", str(folder.path), "--hours", "0.001"]) == 1
    assert "no pruning network" in capsys.readouterr().err
    with pytest.raises(DataMissing, match="lacks 'pruner"):
        store.snapshot_pruner(store.folded(folder.load_checkpoint()[0]))


def test_missing_checkpoint_says_so(tmp_path, capsys):
    assert command.main(["export", "--folder", str(tmp_path / "none")]) == 1
    assert "does not exist" in capsys.readouterr().err


@pytest.mark.parametrize("damage", [b"", b"PK\x03\x04 nothing", b"rubbish" * 100])
def test_damaged_checkpoint_is_refused_and_left(folder, damage, capsys):
    folder.checkpoint.write_bytes(damage)
    assert command.main(["run", "--folder", str(folder.path), "--hours", "0.001"]) == 1
    message = capsys.readouterr().err
    assert "damaged" in message
    assert message.count("\n") == 1
    assert folder.checkpoint.read_bytes() == damage


def test_cut_checkpoint_is_refused(folder):
    data = folder.checkpoint.read_bytes()
    folder.checkpoint.write_bytes(data[: len(data) // 2])
    with pytest.raises(DataMissing, match="damaged"):
        folder.load_checkpoint()


def test_full_disk_leaves_the_last_checkpoint(folder, monkeypatch):
    before = folder.checkpoint.read_bytes()
    fits, lessons, progress = folder.load_checkpoint()

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(TrainingStopped, match="No space left"):
        folder.save_checkpoint(fits, lessons, {**progress, "chunks": 9})
    assert folder.checkpoint.read_bytes() == before
    assert [p.name for p in folder.path.iterdir()] == ["checkpoint.npz"]


def test_old_chunks_and_snapshots_are_removed(folder, monkeypatch):
    monkeypatch.setattr(store, "KEEP_SNAPSHOTS", 2)
    fits, lessons, _ = folder.load_checkpoint()
    for k in range(4):
        folder.save_snapshot(k, fits, pruner_of(lessons))
    assert sorted(p.name for p in (folder.path / "snapshots").iterdir()) == ["000002.npz", "000003.npz"]


def test_export_is_verified_when_loaded(folder, tmp_path, monkeypatch):
    place = tmp_path / "engine" / "weights"
    export(folder, place)
    monkeypatch.setattr(neural, "files", lambda _: tmp_path / "engine")
    data, checksum = neural._read_verified()
    assert len(checksum) == 64
    assert set(neural.unpack(data)) == {"tables", "bias", "scales", "w2", "b2", "w3", "b3"}
    (place / neural.WEIGHTS_FILE).write_bytes(data[:-1])
    with pytest.raises(DataMissing, match="damaged"):
        neural._read_verified()
    (place / neural.WEIGHTS_FILE).unlink()
    with pytest.raises(DataMissing, match="not installed"):
        neural._read_verified()


def test_from_nothing_to_labels_of_the_networks_own(tmp_path):
    """Both stages with a generator beside the trainer, all very small."""
    schedule = Schedule(td_chunks=2, td_size=1500, size=600, lessons=160)
    folder = Folder(tmp_path)
    trainer = Trainer(folder, 3, schedule)
    trainer.first_stage(float("inf"))
    assert folder.newest_snapshot() == 1
    threading.Thread(target=generate, args=(folder, 3, 0, 1, schedule, 0, 4), daemon=True).start()

    class Enough:
        def check(self):
            if trainer.progress["chunks"] >= 4:
                raise StopIteration

    with pytest.raises(StopIteration):
        trainer.second_stage(float("inf"), Enough())
    assert trainer.progress["labels"] == 1200
    entries = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert [entry["stage"] for entry in entries] == ["td", "td", "look", "look"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "--hours", "nan"],
        ["run", "--hours", "-1"],
        ["run", "--hours", "inf"],
        ["run", "--hours", "soon"],
        ["run", "--generators", "0"],
        ["run", "--seed", "-1"],
        ["run", "--seed", str(2**40)],
        ["generate", "--generators", "0"],
        ["export", "--polish", "-1"],
        ["validate", "--positions", "0"],
        ["validate", "--trials", "0"],
    ],
)
def test_impossible_numbers_are_wrong_usage(arguments, tmp_path, capsys):
    with pytest.raises(SystemExit) as ended:
        command.main([*arguments, "--folder", str(tmp_path / "x")])
    assert ended.value.code == 2
    assert f"argument {arguments[1]}: " in capsys.readouterr().err
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize(
    ("trainer", "arguments"), [(race, ["--rounds", "0"]), (race, ["--positions", "5"]), (pruning, ["--lessons", "0"])]
)
def test_the_other_trainers_refuse_them_too(trainer, arguments):
    with pytest.raises(SystemExit) as ended:
        trainer.main(arguments)
    assert ended.value.code == 2


def test_a_place_that_cannot_be_written_is_refused_before_the_work(tmp_path, capsys):
    file = tmp_path / "file"
    file.write_text("x")
    assert race.main(["--folder", str(file)]) == 1
    assert pruning.main(["--to", str(file)]) == 1
    (tmp_path / "race.npz").mkdir()
    assert race.main(["--folder", str(tmp_path)]) == 1
    said = capsys.readouterr()
    assert said.err.count("The weights cannot be written to") == said.err.count("\n") == 3
    assert said.out == ""


def test_weights_and_their_checksum_appear_together_or_not_at_all(tmp_path, monkeypatch):
    checksum = write_weights(tmp_path / "w", "a.npz", b"first")
    names = ["a.npz", "a.sha256"]
    assert sorted(os.listdir(tmp_path / "w")) == names
    assert (tmp_path / "w" / "a.sha256").read_text() == f"{checksum}  a.npz\n"

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("cubelab.training.shipping.write_whole", full)
    with pytest.raises(TrainingStopped, match="No space left"):
        write_weights(tmp_path / "w", "a.npz", b"second")
    assert (tmp_path / "w" / "a.npz").read_bytes() == b"first"
    assert sorted(os.listdir(tmp_path / "w")) == names


def test_a_teacher_that_is_none_is_refused_at_once(folder, tmp_path, capsys):
    other = tmp_path / "other.npz"
    store.write_arrays(other, {"x": np.zeros(3)})
    fits, lessons, _ = folder.load_checkpoint()
    folder.save_snapshot(3, fits, pruner_of(lessons))
    for name, words in (("none.npz", "does not exist"), ("other.npz", "The snapshot lacks 'tables'")):
        for what in ("run", "generate"):
            assert command.main([what, "--folder", str(folder.path), "--teacher", str(tmp_path / name)]) == 1
            assert words in capsys.readouterr().err
    (folder.path / "snapshots" / "0old.npz").write_text("of somebody else")
    assert folder.newest_snapshot() == 3


@pytest.mark.parametrize("progress", ["5", "{}", '{"chunks": 1, "labels": "x", "seconds": 0}', "[]", '{"chunks": NaN}'])
def test_a_checkpoint_that_counts_nothing_is_damaged(folder, progress, capsys):
    arrays = store.read_arrays(folder.checkpoint) | {"progress": np.array(progress)}
    store.write_arrays(folder.checkpoint, arrays)
    assert command.main(["run", "--folder", str(folder.path)]) == 1
    assert "it is damaged or of another version" in capsys.readouterr().err


def test_a_checkpoint_of_another_size_is_refused(folder):
    for name in ("bar.average.w2", "pruner.table"):
        arrays = store.read_arrays(folder.checkpoint)
        store.write_arrays(folder.checkpoint, arrays | {name: arrays[name][:-1]})
        with pytest.raises(DataMissing, match="of another size"):
            folder.load_checkpoint()
        store.write_arrays(folder.checkpoint, arrays)


def test_chunks_without_labels_are_damaged(folder, capsys):
    fits, lessons, progress = folder.load_checkpoint()
    folder.save_snapshot(150, fits, pruner_of(lessons))
    folder.save_checkpoint(fits, lessons, {**progress, "chunks": 151})
    store.write_arrays(folder.chunk(150), {"boards": np.zeros((5, 26), np.int8)})
    for arguments in (["export", "--polish", "1"], ["validate"]):
        assert command.main([*arguments, "--folder", str(folder.path)]) == 1
        assert "it lacks 'labels'" in capsys.readouterr().err
    chunk = {"boards": np.zeros((5, 26), np.int8), "labels": np.zeros((5, 6), np.float32), "seconds": np.array(1.0)}
    store.write_arrays(folder.chunk(150), chunk)
    assert command.main(["validate", "--folder", str(folder.path)]) == 1
    assert "holds 5 labelled positions for 400 wanted" in capsys.readouterr().err


def test_the_first_stage_ends_with_the_time_and_is_kept(tmp_path, monkeypatch):
    assert command.main(["run", "--folder", str(tmp_path), "--hours", "0"]) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["log.jsonl"]
    trainer = Trainer(Folder(tmp_path), 1, Schedule(td_size=200))
    now = iter((0.0, 2.0, 2.0))
    monkeypatch.setattr("cubelab.training.run.time.time", lambda: next(now))
    trainer.first_stage(1.0)
    assert Folder(tmp_path).load_checkpoint()[2]["chunks"] == 1
