"""The tables behind the pictures: what is thinned, what is marked, what is left out."""

import math

import numpy as np
import pandas as pd
import pytest

from core import history
from core.records import SMALLEST, Epoch, Layers, Lights, Step
from core.settings import Settings

PAIR = Settings(depth=4, width=8, batch=64, epochs=2)
BAND = Settings(depth=4, width=8, epochs=2, seeds=3)


def rows(losses: list[list[float]], lights: Lights | None = None) -> list[Step]:
    return [Step(at, loss, lights if at == 1 else None) for at, loss in enumerate(losses, 1)]


def tables(parts: dict[str, dict[str, np.ndarray]]) -> dict[str, pd.DataFrame]:
    return {name: pd.DataFrame(part) for name, part in parts.items()}


def of(table: pd.DataFrame, who: str) -> pd.DataFrame:
    return table.loc[table["who"] == who]


def test_losses_are_thinned_and_keep_both_ends() -> None:
    table = history.losses(PAIR, rows([[2.0, 1.0]] * 1000))
    plain = of(table, "plain")
    assert len(plain) == history.POINTS
    assert plain["step"].iloc[0] == 1
    assert plain["step"].iloc[-1] == 1000


def test_the_last_finite_loss_before_a_divergence_is_marked_and_nothing_infinite_is_drawn() -> None:
    table = history.losses(PAIR, rows([[2.3, 5.0], [2.3, 1e9], [2.3, math.inf], [2.3, math.nan]]))
    residual = of(table, "residual")
    assert residual["diverged"].tolist() == [False, True, False, False]
    assert residual["drawn_loss"].tolist()[:2] == [5.0, history.HIGHEST]
    assert residual["loss"].tolist()[1] == 1e9
    assert np.isnan(residual["drawn_loss"].to_numpy()[2:]).all()
    assert residual["drawn_high"].tolist()[:2] == residual["drawn_low"].tolist()[:2] == [5.0, 1e4]
    assert True not in of(table, "plain")["diverged"].tolist()


def test_a_loss_of_zero_leaves_a_gap_on_the_logarithmic_axis() -> None:
    table = history.losses(PAIR, rows([[1.0, 0.0]]))
    assert math.isnan(table["drawn_loss"].iloc[1])


def test_the_band_reaches_from_the_lowest_to_the_highest_seed() -> None:
    table = history.losses(BAND, rows([[3.0, 1.0, 2.0, 5.0, math.nan, 4.0]]))
    plain, residual = table.iloc[0], table.iloc[1]
    assert (plain["low"], plain["loss"], plain["high"]) == (1.0, 2.0, 3.0)
    assert (residual["low"], residual["high"]) == (4.0, 5.0)
    assert {"drawn_low", "drawn_high"} <= {*history.drawn_losses(BAND, [])}
    assert [*history.drawn_losses(PAIR, [])] == ["who", "step", "loss", "drawn_loss", "diverged"]


def test_a_light_map_tells_zero_tiny_overflow_and_divergence_apart() -> None:
    norms = [[0.0, 1e-60, math.inf, math.nan], [1.0, 1e-5, 1e-3, 10.0]]
    lost = [[True, True, False, False], [False] * 4]
    seen = rows([[1.0, 1.0]], Lights(norms, lost))
    table = pd.DataFrame(history.lights(PAIR, seen, 0))
    assert table["state"].tolist() == ["zero", "tiny", "overflow", "gone"]
    assert table["log10"].iloc[1] == pytest.approx(-60)
    assert np.isnan(table["log10"].to_numpy()[[0, 2, 3]]).all()
    other = pd.DataFrame(history.lights(PAIR, seen, 1))
    assert other["state"].tolist() == ["held"] * 4
    assert other["log10"].tolist() == pytest.approx([0, -5, -3, 1])
    assert other["layer"].tolist() == [1, 2, 3, 4]


def test_a_network_of_half_the_layers_has_half_a_map() -> None:
    unfair = Settings(contestants=("plain_half", "residual"), depth=4)
    seen = rows([[1.0, 1.0]], Lights([[1.0] * 4] * 2, [[False] * 4] * 2))
    assert len(history.lights(unfair, seen, 0)["step"]) == 2
    assert len(history.lights(unfair, seen, 1)["step"]) == 4


def test_a_map_grows_in_its_last_part_alone() -> None:
    lights = Lights([[1.0, 0.0, 1e-3, 10.0]] * 2, [[False] * 4] * 2)
    run = [Step(at, [1.0, 1.0], lights) for at in range(1, PAIR.steps + 1)]
    cells = history.lights(PAIR, run, 0)
    whole, parts = pd.DataFrame(cells), tables(history.in_parts(PAIR, cells))
    zero = whole["state"] == "zero"
    held = pd.concat([parts[name] for name in history.PARTS])
    for part, shown in ((parts["marked"], whole[zero]), (held, whole[~zero])):
        for name in part:
            assert part[name].tolist() == pytest.approx(shown[name].tolist(), nan_ok=True)
    assert [*held] == ["step", "until", "layer", "log10"]
    for quarter, name in enumerate(history.PARTS, 1):
        reach = quarter * PAIR.steps / len(history.PARTS)
        assert reach - 1 < max(parts[name]["step"]) <= reach
    for seen in range(1, len(run)):
        before, after = (
            tables(history.in_parts(PAIR, history.lights(PAIR, run[:count], 0)))
            for count in (seen, seen + 1)
        )
        grown = [name for name in history.PARTS if not before[name].equals(after[name])]
        assert grown == [name for name in history.PARTS if not after[name].empty][-1:]


def test_a_profile_marks_what_float32_cannot_hold() -> None:
    table = history.profile(PAIR, [[SMALLEST / 2, 0.0, 1.0, 1.0], [1.0] * 4])
    assert table["state"].tolist()[:4] == ["tiny", "zero", "held", "held"]


def test_measures_stand_only_where_a_shortcut_ends() -> None:
    values = [[1.0, 2.0, 3.0, 4.0]] * 2
    ratio = [[None] * 4, [None, 0.5, None, 0.25]]
    look = Layers(values, values, values, ratio, values)
    table = history.layers(PAIR, look, "ratio")
    assert table.to_numpy().tolist() == [["residual", 2, 0.5], ["residual", 4, 0.25]]
    assert len(history.layers(PAIR, look, "moved")) == 8
    alphas = history.layers(PAIR, look, "alpha")
    assert alphas["layer"].tolist() == [2, 4]


def test_who_has_no_layers_to_show_is_told_why() -> None:
    nan, one = [math.nan] * 2, [1.0] * 2
    look = Layers([one, one], [one, nan], [one, one], [[None, None], [None, 0.5]], [one, one])
    two = Settings(depth=2, width=8)
    assert history.without(two, look, "moved") == []
    assert history.without(two, look, "scale") == [("residual", "diverged")]
    assert history.without(two, look, "ratio") == [("plain", "no_shortcut")]


def test_layers_are_revealed_from_the_input_and_the_gradient_from_the_output() -> None:
    table = history.profile(PAIR, [[1.0] * 4] * 2)
    forward = history.revealed(table, "forward", 0.5)
    backward = history.revealed(table, "backward", 0.5)
    assert sorted(set(forward["layer"])) == [1, 2]
    assert sorted(set(backward["layer"])) == [3, 4]
    assert len(history.revealed(table, "update", 1.0)) == len(table)
    assert history.revealed(table, "backward", 0.0).empty


def test_the_whole_history_has_a_line_a_step_and_member() -> None:
    seen = rows([[1.0, 2.0], [0.5, 1.5]], Lights([[0.1] * 4, [0.2] * 4], [[False] * 4] * 2))
    table = history.table(PAIR, seen)
    assert len(table) == 4
    assert table["loss"].tolist() == [1.0, 2.0, 0.5, 1.5]
    assert table["gradient_4"].tolist()[:2] == [0.1, 0.2]
    assert table["gradient_1"].isna().tolist() == [False, False, True, True]


def test_accuracy_is_a_percentage_per_epoch() -> None:
    epoch = Epoch([0.5, math.nan])
    table = history.accuracies(PAIR, [Step(1, [1.0, 1.0], epoch=epoch)])
    assert table["accuracy"].iloc[0] == 50
    assert math.isnan(table["accuracy"].iloc[1])
    assert history.accuracies(PAIR, []).empty


def test_before_the_first_step_every_table_is_empty_and_has_its_columns() -> None:
    assert list(history.losses(PAIR, []).columns)[:3] == ["who", "step", "loss"]
    assert history.losses(PAIR, []).empty
    empty = pd.DataFrame(history.lights(PAIR, [], 0))
    assert list(empty.columns)[:3] == ["step", "until", "layer"]
    assert empty.empty
    parts = tables(history.in_parts(PAIR, history.lights(PAIR, [], 0)))
    assert all(part.empty for part in parts.values())
