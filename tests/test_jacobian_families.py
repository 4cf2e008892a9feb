"""Families of matrices: what each is, what is refused, and the program that is shown."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as draw

from core import jacobian_families as core
from core.gradient_claims import BLOCKS
from core.jacobian_families import Blocks
from core.jacobian_spectrum import measure
from core.limits import Refused

SAME, ALTERNATE, FRESH = core.ORDERS


def any_blocks(families: tuple[str, ...], sizes: tuple[int, ...]) -> draw.SearchStrategy[Blocks]:
    return draw.builds(
        Blocks,
        family=draw.sampled_from(families),
        order=draw.sampled_from(core.ORDERS),
        d=draw.sampled_from(sizes),
        eigenvalue=draw.integers(-40, 40).map(lambda k: round(0.05 * k, 2)),
        scale=draw.integers(0, 60).map(lambda k: round(0.05 * k, 2)),
        n=draw.integers(1, 12),
        seed=draw.integers(0, 99),
    )


blocks = any_blocks(core.FAMILIES, (2, 3, 6, 10))


def test_each_family_is_what_its_name_says() -> None:
    rng, unit = np.random.default_rng(0), np.eye(6)
    turn = core.member("s·Q", rng, 6)
    assert turn.T @ turn == pytest.approx(unit)
    assert core.member("s·E", rng, 3).tolist() == [[0, 1, 0], [0, 0, 1], [0, 0, 0]]
    nilpotent = core.member("s·N", rng, 6)
    assert not np.linalg.matrix_power(nilpotent, 6).any()
    projection = core.member("s·P", rng, 6)
    assert projection @ projection == pytest.approx(projection)
    assert np.trace(projection) == pytest.approx(1)
    gauss = np.stack([core.member("s·G", rng, 20) for _ in range(200)])
    assert gauss.var() == pytest.approx(1 / 20, rel=0.02)


def test_orders() -> None:
    def matrices(order: str) -> list[np.ndarray]:
        setting = Blocks("s·G", order, 4, 0.0, 1.0, 3, 0)
        return [core.layer(setting, index, "plain").matrix for index in range(3)]

    one, two, three = matrices(SAME)
    assert (one == two).all()
    assert (two == three).all()
    one, two, three = matrices(ALTERNATE)
    assert (one == two.T).all()
    assert (one == three).all()
    one, two, three = matrices(FRESH)
    assert not (one == two).any()
    assert not (two == three).any()


@given(blocks)
def test_the_shortcut_adds_the_identity_to_every_layer_and_an_inverse_inverts(
    setting: Blocks,
) -> None:
    unit = np.eye(setting.d)
    for index in range(setting.n):
        plain, residual = (core.layer(setting, index, who) for who in core.SHIFT)
        assert residual.matrix == pytest.approx(plain.matrix + unit)
        for matrix, inverse in (plain, residual):
            if inverse is not None:
                size = np.linalg.norm(matrix) * np.linalg.norm(inverse)
                assert matrix @ inverse == pytest.approx(unit, abs=1e-12 * float(size))
            else:
                assert np.linalg.svd(matrix, compute_uv=False)[-1] < 1e-9


BROKEN = [
    ("s·X", SAME, 2, 0.0, 1.0, 1, 0),
    ("s·G", "J", 2, 0.0, 1.0, 1, 0),
    ("s·G", SAME, 1000, 0.0, 1.0, 1, 0),
    ("s·G", SAME, 2, 2.1, 1.0, 1, 0),
    ("s·G", SAME, 2, 0.0, 11.0, 1, 0),
    ("s·G", SAME, 2, 0.0, 1.0, 101, 0),
    ("s·G", SAME, 2, 0.0, 1.0, 1, -1),
]


@pytest.mark.parametrize("broken", BROKEN)
def test_what_the_controls_do_not_offer_is_refused(broken: tuple) -> None:
    with pytest.raises(Refused):
        Blocks(*broken)


@pytest.mark.parametrize("name", BLOCKS)
def test_the_snippet_prints_the_numbers_of_the_page(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    exec(core.snippet(BLOCKS[name]), {})
    lines = capsys.readouterr().out.splitlines()
    norm, least, nearest = (float(line.split()[-1]) for line in lines[:3])
    found = measure(BLOCKS[name])
    assert norm == pytest.approx(found.norm)
    assert least == pytest.approx(found.least, abs=1e-9)
    assert nearest == pytest.approx(found.nearest, abs=1e-6)
    assert lines[3] == "autograd agrees True"
