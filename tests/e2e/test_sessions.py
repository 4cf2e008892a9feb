"""The sessions without a browser do what a browser does."""

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


def _number(reader: Session, key: str) -> float:
    slider = next(it for it in reader.shown("slider") if it.id.endswith(f"-{key}"))
    return slider.value[0] if slider.set_value else slider.default[0]
