"""Readers without a browser: sessions that speak Streamlit's websocket protocol, many at a time.

A session does what the browser does: it opens a page by its path and query, keeps the elements that
the server sends, presses buttons and moves controls, and runs those fragments again that asked for
it. What the browser keeps to itself (fonts, layout, its cache of large messages) is left out.
"""

import asyncio
import io
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

import pandas as pd
import pyarrow as pa
from google.protobuf.message import Message
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

PATIENCE = 60.0
"""Seconds that one answer of the server may take before a session gives up."""
WRITTEN = ("body", "text", "code_text", "message", "label")
"""Where an element keeps the words that it shows."""

Path = tuple[int, ...]


def run(reading: Coroutine[Any, Any, Any]) -> Any:
    """Run to its end, in a thread of its own: this one may hold the browser's event loop."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, reading).result()


class Look(NamedTuple):
    """One poll: when it was sent (`time.monotonic`), how many seconds it took, what was read."""

    began: float
    took: float
    shows: Any


class Session:
    """One reader on one page. `visit` makes one."""

    def __init__(self, connection: ClientConnection, page: str, query: str) -> None:
        """Have a connection, and nothing on the page yet."""
        self._connection, self._page, self.query = connection, page, query
        self._hash = ""
        self._elements: dict[Path, tuple[str, str, Element]] = {}
        self._run, self._fragments = "", frozenset[str]()
        self._moved: dict[str, WidgetState] = {}
        self.name = ""
        self.polls: dict[str, float] = {}
        self.sent: list[str] = []
        """The kinds of the elements of the last run, in the order in which the server sent them."""

    async def load(self) -> float:
        """Run the whole page; return how many seconds it took, as all of these do."""
        return await self._ask()

    async def press(self, key: str) -> float:
        """Press the button that has this key."""
        fragment, button = self._control(key)
        return await self._ask(fragment, WidgetState(id=button.id, trigger_value=True))

    async def move(self, key: str, value: float | bool | str) -> float:
        """Set a slider, a number, a switch or a choice to a value."""
        fragment, control = self._control(key)
        self._moved[control.id] = _state(control, value)
        written = str(value).lower() if isinstance(value, bool) else str(value)
        asked = dict(parse_qsl(self.query)) | {control.query_param_key: written}
        self.query = urlencode({name: text for name, text in asked.items() if name})
        return await self._ask(fragment)

    async def poll(self) -> float:
        """Run the fragments that asked to be run again; nothing when there are none."""
        took = 0.0
        for fragment in list(self.polls):
            if fragment in self.polls:  # a run of the whole page may have ended it meanwhile
                took += await self._ask(fragment, auto=True)
        return took

    async def watch(
        self,
        until: Callable[["Session"], object],
        seconds: float,
        read: Callable[["Session"], Any] = lambda _: None,
    ) -> list[Look]:
        """Poll as often as the page asks until it shows what is awaited; return a look a poll.

        Raises `TimeoutError`, with what the page shows, when it does not come to that.
        """
        looks, end = [], time.monotonic() + seconds
        while not until(self):
            if time.monotonic() > end:
                raise TimeoutError(f"after {seconds} s the page shows: {self.text[-600:]}")
            pause = asyncio.create_task(asyncio.sleep(min(self.polls.values(), default=0.5)))
            began = time.monotonic()
            took = await self.poll()
            looks.append(Look(began, took, read(self)))
            await pause
        return looks

    def cut(self) -> None:
        """Lose the connection at once, without a word to the server."""
        self._connection.transport.abort()

    def shown(self, kind: str) -> list:
        """Return the elements of a kind ("progress", "markdown" …) in the order of the page."""
        return [
            getattr(element, kind)
            for element in self.elements
            if element.WhichOneof("type") == kind
        ]

    @property
    def elements(self) -> list[Element]:
        """All elements, in the order of the page."""
        return [element for _, (_, _, element) in sorted(self._elements.items())]

    @property
    def text(self) -> str:
        """All words on the page, in its order."""
        shown = map(_body, self.elements)
        return "\n".join(filter(None, (_words(body) for body in shown if body)))

    def rows(self, chart: int) -> pd.DataFrame:
        """Return the rows that a chart draws; charts are counted from 0 in the page's order."""
        data = self.shown("vega_lite_chart")[chart].datasets[0].data.data
        return pa.ipc.open_stream(io.BytesIO(data)).read_pandas()

    def _control(self, key: str) -> tuple[str, Any]:
        """Return the fragment and the control whose key this is."""
        for _, fragment, element in self._elements.values():
            body = _body(element)
            if getattr(body, "id", "").endswith(f"-{key}"):
                return fragment, body
        raise LookupError(f"no control {key} on the page: {self.text[:600]}")

    async def _ask(self, fragment: str = "", *states: WidgetState, auto: bool = False) -> float:
        """Ask for a run and take in all it sends, and what runs it asks for itself."""
        state = ClientState(
            query_string=self.query,
            page_script_hash=self._hash,
            page_name="" if self._hash else self._page,
            fragment_id=fragment,
            is_auto_rerun=auto,
        )
        state.widget_states.widgets.extend([*self._moved.values(), *states])
        state.context_info.locale = "en-US"
        began = time.monotonic()
        async with asyncio.timeout(PATIENCE):
            await self._connection.send(BackMsg(rerun_script=state).SerializeToString())
            while not self._take(ForwardMsg.FromString(await self._received())):
                pass
        return time.monotonic() - began

    async def _received(self) -> bytes:
        data = await self._connection.recv()
        assert isinstance(data, bytes)
        return data

    def _take(self, message: ForwardMsg) -> bool:
        """Take in one message; return whether it ends the run."""
        match message.WhichOneof("type"):
            case "new_session":
                self._begin(message)
            case "delta":
                self._draw(message)
            case "auto_rerun":
                self.polls[message.auto_rerun.fragment_id] = message.auto_rerun.interval
            case "stop_auto_rerun":
                for fragment in message.stop_auto_rerun.fragment_ids:
                    self.polls.pop(fragment, None)
            case "navigation":
                self._hash = message.navigation.page_script_hash
            case "page_info_changed":
                self.query = message.page_info_changed.query_string
            case "script_finished":
                if message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                    self._clear()
                    return True
        return False

    def _begin(self, message: ForwardMsg) -> None:
        self.name = message.new_session.initialize.session_id
        run = message.metadata.run
        self._run, self._fragments = run.script_run_id, frozenset(run.fragment_ids)
        self.sent.clear()
        if not self._fragments:
            self.polls.clear()

    def _draw(self, message: ForwardMsg) -> None:
        path = tuple(message.metadata.delta_path)
        if message.delta.WhichOneof("type") == "new_element":
            element = message.delta.new_element
            self.sent.append(element.WhichOneof("type") or "")
            self._elements[path] = (self._run, message.delta.fragment_id, element)
            body = _body(element)
            if getattr(body, "set_value", False):
                self._moved.pop(body.id, None)
        else:
            self._elements.pop(path, None)

    def _clear(self) -> None:
        """Take off what the run that has ended was to draw and did not draw again."""
        self._elements = {
            path: (run, fragment, element)
            for path, (run, fragment, element) in self._elements.items()
            if run == self._run or (self._fragments and fragment not in self._fragments)
        }


def _body(element: Element) -> Any:
    kind = element.WhichOneof("type")
    return getattr(element, kind) if kind else None


def _words(body: Message) -> str:
    return next((getattr(body, name) for name in WRITTEN if getattr(body, name, "")), "")


def _state(control: Any, value: float | bool | str) -> WidgetState:
    """Return what the browser sends for a control that shows `value`."""
    state = WidgetState(id=control.id)
    kind = control.DESCRIPTOR.name
    if isinstance(value, bool):
        state.bool_value = value
    elif kind == "ButtonGroup" or (kind == "Slider" and control.options):
        state.string_array_value.data.append(str(value))
    elif kind == "Slider":
        state.double_array_value.data.append(float(value))
    elif kind == "NumberInput":
        state.double_value = float(value)
    else:
        state.string_value = str(value)
    return state


@asynccontextmanager
async def visit(
    address: str,
    page: str = "",
    query: Mapping[str, object] | str = MappingProxyType({}),
    back: Session | None = None,
) -> AsyncIterator[Session]:
    """Open a page of the app at `http://…`. With `back`, as that reader, whose line was cut."""
    words = ["streamlit", "none", *([back.name] if back else [])]
    async with connect(
        f"{address.replace('http', 'ws', 1)}/_stcore/stream",
        subprotocols=[Subprotocol(word) for word in words],
        compression=None,
        max_size=None,
    ) as connection:
        written = query if isinstance(query, str) else urlencode(query)
        session = Session(connection, page, written)
        await session.load()
        yield session
