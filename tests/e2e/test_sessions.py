"""The sessions without a browser do what a browser does."""

import pytest

from tests.e2e.sessions import Session, run, visit


def test_a_session_moves_a_slider_and_its_link_follows(server: str) -> None:
    async def read() -> None:
        async with visit(server, "gradient_multiplier", {"gm_n": 10, "lang": "zh"}) as reader:
            assert reader.shown("heading")[0].body == "梯度倍率"
            assert _number(reader, "gm_n") == 10
            ten = reader.text
            await reader.move("gm_n", 40)
            forty = reader.text
            assert forty != ten
            await reader.load()
            assert reader.text == forty
            assert "gm_n=40" in reader.query

    run(read())


def test_a_cut_line_keeps_the_session(server: str) -> None:
    async def read() -> None:
        async with visit(server, "gradient_multiplier") as reader:
            await reader.move("gm_n", 40)
            reader.cut()
        async with visit(server, "gradient_multiplier", back=reader) as again:
            assert again.name == reader.name

    run(read())


@pytest.mark.parametrize(
    ("page", "key", "value"),
    [
        ("", "ov_share", 0.5),
        ("residual_explorer", "re_alpha", 0.5),
        ("gradient_multiplier", "gm_n", 40),
        ("worked_example", "we_alpha", 0.5),
        ("layernorm_placement", "ln_step", 3),
    ],
)
def test_a_moved_slider_sends_its_picture_first_and_nothing_of_the_tabs(
    server: str, page: str, key: str, value: float
) -> None:
    async def read() -> None:
        async with visit(server, page) as reader:
            assert reader.sent.index("slider") < reader.sent.index("vega_lite_chart")
            before, words = reader.rows(0), reader.text
            await reader.move(key, value)
            assert reader.sent[0] == "vega_lite_chart"
            assert not reader.rows(0).equals(before)
            assert reader.text != words
            assert reader.sent.count("button_group") == (page == "") + (page == "worked_example")

    run(read())


def test_a_control_that_is_new_is_drawn_before_its_picture(server: str) -> None:
    async def read() -> None:
        async with visit(server, "residual_explorer") as reader:
            assert set(reader.rows(0)["component"]) == {1, 2, 3}
            await reader.move("re_d", 5)
            assert set(reader.rows(0)["component"]) == {1, 2, 3, 4, 5}
            await reader.move("re_h5", 7.5)
            assert reader.sent[0] == "vega_lite_chart"
            assert 7.5 in set(reader.rows(0)["start"])

    run(read())


def test_an_open_tab_follows_the_first_screen_and_a_button_in_a_tab_moves_it(server: str) -> None:
    async def read() -> None:
        async with visit(server, "gradient_multiplier", {"tab": "code"}) as reader:
            assert "a, n = 0.5, 20" in reader.text
            await reader.move("gm_n", 33)
            assert "a, n = 0.5, 33" in reader.text
        async with visit(server, "gradient_multiplier", {"tab": "claims"}) as reader:
            await reader.press("claim_gradient_multiplier_copy")
            assert _number(reader, "gm_a") == -1
            assert "tab=depth" in reader.query

    run(read())


def _number(reader: Session, key: str) -> float:
    slider = next(it for it in reader.shown("slider") if it.id.endswith(f"-{key}"))
    return slider.value[0] if slider.set_value else slider.default[0]
