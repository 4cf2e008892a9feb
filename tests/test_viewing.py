"""What one reader sees of a shared job: follow, stop, continue, play again."""

from core.jobs import Call, Job
from core.viewing import REPLAY_SECONDS, Viewing


def job(rows: int, state: str = "running") -> Job:
    made = Job(0, Call("module", "function", None))
    made.rows, made.state = list(range(rows)), state  # pyright: ignore[reportAttributeAccessIssue]
    return made


def test_a_reader_follows_the_job() -> None:
    shared = job(10)
    view = Viewing(shared, steps=100)
    assert view.advance(0.0) == list(range(10))
    shared.rows += range(10, 30)
    assert view.advance(0.5) == list(range(30))
    assert view.moving
    shared.state = "done"
    assert not view.moving


def test_the_reader_is_told_their_own_mode_or_how_the_job_is() -> None:
    shared = job(10)
    view = Viewing(shared, steps=100)
    view.advance(0.0)
    assert view.state == "running"
    shared.behind = True
    assert view.state == "behind"
    shared.state = "queued"
    assert view.state == "queued"
    view.stop()
    assert view.state == "stopped"
    view.resume(shared, now=1.0)
    assert view.state == "replay"


def test_stop_freezes_one_reader_and_not_the_other() -> None:
    shared = job(10)
    mine, other = Viewing(shared, steps=100), Viewing(shared, steps=100)
    mine.advance(0.0)
    mine.stop()
    shared.rows += range(10, 40)
    assert len(mine.advance(1.0)) == 10
    assert not mine.moving
    assert len(other.advance(1.0)) == 40


def test_continue_goes_on_from_where_the_reader_left_although_the_job_went_on() -> None:
    shared = job(10)
    view = Viewing(shared, steps=100)
    view.advance(0.0)
    view.stop()
    shared.rows += range(10, 100)
    shared.state = "done"
    view.resume(shared, now=10.0)
    assert view.moving
    assert 10 <= len(view.advance(10.1)) < 30
    seen = view.advance(10.0 + REPLAY_SECONDS)
    assert seen == list(range(100))
    assert not view.moving


def test_continue_after_the_job_was_dropped_plays_the_new_one_from_there() -> None:
    old = job(10, "dropped")
    view = Viewing(old, steps=100)
    view.advance(0.0)
    view.stop()
    new = job(0)
    view.resume(new, now=1.0)
    assert view.advance(1.1) == list(range(10))
    assert view.moving
    new.rows += range(5)
    assert view.advance(1.5) == list(range(10))
    new.rows += range(5, 50)
    assert view.advance(2.0) == list(range(50))


def test_play_again_starts_from_the_first_step() -> None:
    view = Viewing(job(100, "done"), steps=100)
    assert len(view.advance(0.0)) == 100
    view.again(now=5.0)
    assert view.moving
    assert view.advance(5.0) == []
    half = view.advance(5.0 + REPLAY_SECONDS / 2)
    assert half == list(range(50))
    assert view.advance(5.0 + REPLAY_SECONDS) == list(range(100))


def test_what_there_is_of_a_dropped_job_can_be_played_again() -> None:
    view = Viewing(job(50, "dropped"), steps=100)
    view.advance(0.0)
    view.again(now=5.0)
    assert view.moving
    assert view.advance(5.0 + REPLAY_SECONDS / 4) == list(range(25))
    assert view.advance(5.0 + REPLAY_SECONDS) == list(range(50))
    assert not view.moving


def test_a_failed_or_dropped_job_does_not_move() -> None:
    assert not Viewing(job(3, "failed"), steps=9).moving
    assert not Viewing(job(3, "dropped"), steps=9).moving
    assert Viewing(job(3, "paused"), steps=9).moving
