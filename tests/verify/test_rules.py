"""The explorer by hand: pairs of streams that differ in one thing, one clean and one not."""

from __future__ import annotations

import pytest

from tests.verify.cases import position, stream, verdict

PAIRS = {
    "a read waits for the write": (
        "dispatch cs.uav-write buf | flush cs | sync me tcp.wbinv | dispatch cs.texture buf",
        "dispatch cs.uav-write buf | sync me tcp.wbinv | dispatch cs.texture buf",
    ),
    "a write waits for the read": (
        "draw ps.texture buf | flush ps | dispatch cs.uav-write buf",
        "draw ps.texture buf | flush vs | dispatch cs.uav-write buf",
    ),
    "PS includes VS": (
        "draw vs.texture buf | flush ps | dispatch cs.uav-write buf",
        "draw ps.texture buf | flush cs | dispatch cs.uav-write buf",
    ),
    "pieces of a UAV write leave old bytes in TCP": (
        "dispatch cs.uav-write buf | flush cs | sync me tcp.wbinv | draw ps.texture buf",
        "dispatch cs.uav-write buf | flush cs | draw ps.texture buf",
    ),
    "MISS never hits": (
        "dispatch cs.uav-write buf | flush cs | draw ps.texture buf miss-lru",
        "dispatch cs.uav-write buf | flush cs | draw ps.texture buf hit-lru",
    ),
    "EVICT leaves nothing behind": (
        "dispatch cs.uav-write buf miss-evict | flush cs | draw ps.texture buf",
        "dispatch cs.uav-write buf miss-lru | flush cs | draw ps.texture buf",
    ),
    "atomics commute": (
        "dispatch cs.atomic buf | dispatch cs.atomic buf",
        "dispatch cs.atomic buf | dispatch cs.uav-write buf",
    ),
    "constants meet UAVs in TCC": (
        "dispatch cs.uav-write buf | flush cs | dispatch cs.constant buf",
        (
            "dispatch cs.constant buf | flush cs | dispatch cs.uav-write buf | flush cs | "
            "dispatch cs.constant buf"
        ),
    ),
    "K$ is flushed at the top": (
        (
            "dispatch cs.constant buf | flush cs | dispatch cs.uav-write buf | flush cs | "
            "sync me k.inv | dispatch cs.constant buf"
        ),
        (
            "dispatch cs.constant buf | flush cs | dispatch cs.uav-write buf | flush cs | "
            "sync me tcp.wbinv | dispatch cs.constant buf"
        ),
    ),
    "an invalidation waits for the reader that brings lines in": (
        (
            "dispatch cs.texture buf[32:64] | copy as dma sync dma.write buf[0:32] | flush cs | "
            "sync me tcc.wbinv tcp.wbinv | dispatch cs.texture buf[0:32]"
        ),
        (
            "dispatch cs.texture buf[32:64] | copy as dma sync dma.write buf[0:32] | "
            "sync me tcp.wbinv | flush cs | sync me tcc.wbinv | dispatch cs.texture buf[0:32]"
        ),
    ),
    "color to color is in order": (
        "draw cb0.write color | draw cb0.blend color",
        "draw cb0.write color | draw cb0.blend masked.cmask",
    ),
    "depth to depth is in order": (
        "draw db.write depth | draw db.test depth",
        "draw db.write depth | draw cb0.blend color",
    ),
    "a surface sync stalls for the surface": (
        (
            "draw cb0.write color | event cb.pixels.wbinv | sync me coherent cb0 color | "
            "draw ps.texture buf"
        ),
        (
            "draw cb0.write color | event cb.pixels.wbinv | sync me coherent cb1 color | "
            "draw ps.texture buf"
        ),
    ),
    "a surface sync stalls for the range": (
        (
            "draw cb0.write color | event cb.pixels.wbinv | sync me coherent cb0 all | "
            "draw ps.texture buf"
        ),
        (
            "draw cb0.write color | event cb.pixels.wbinv | sync me coherent cb0 0x8000:0x8100 | "
            "draw ps.texture buf"
        ),
    ),
    "not for an empty one": (
        (
            "draw cb0.write color | event cb.pixels.wbinv | sync me coherent cb0 0x1000:0x1001 | "
            "draw ps.texture buf"
        ),
        (
            "draw cb0.write color | event cb.pixels.wbinv | sync me coherent cb0 0:0 | "
            "draw ps.texture buf"
        ),
    ),
    "an action needs its coherency bit": (
        "draw cb0.write color | sync me cb.pixels.wbinv coherent cb0 color | draw ps.texture buf",
        "draw cb0.write color | wait idle | sync me cb.pixels.wbinv | draw ps.texture buf",
    ),
    "or an idle": (
        (
            "draw cb0.write color | wait idle | sync me cb.pixels.wbinv | wait idle | "
            "draw ps.texture buf"
        ),
        "draw cb0.write color | sync me cb.pixels.wbinv | flush ps | draw ps.texture buf",
    ),
    "the event of a freshly rolled context is not confirmed": (
        (
            "draw cb0.write color | event cb.pixels.wbinv | context | sync me coherent cb0 color | "
            "draw ps.texture buf"
        ),
        (
            "draw cb0.write color | context | event cb.pixels.wbinv | sync me coherent cb0 color | "
            "draw ps.texture buf"
        ),
    ),
    "one bit confirms one block": (
        (
            "draw cb0.write color | event cb.pixels.wbinv db.pixels.wbinv | "
            "sync me coherent cb0 all | draw ps.texture buf"
        ),
        (
            "draw cb0.write color | event cb.pixels.wbinv db.pixels.wbinv | "
            "sync me coherent db all | draw ps.texture buf"
        ),
    ),
    "only DB honours a range": (
        "draw db.write depth | sync me db.pixels.wbinv coherent db depth | draw ps.texture buf",
        (
            "draw db.write depth | wait idle | sync me db.pixels.wbinv coherent db 0x8000:0x8100 | "
            "draw ps.texture buf"
        ),
    ),
    "dispatches are not waited for": (
        "draw ps.texture buf | sync me coherent cb0 all | dispatch cs.uav-write buf",
        "dispatch cs.texture buf | sync me coherent cb0 all | dispatch cs.uav-write buf",
    ),
    "dirty data may come late": (
        "dispatch cs.uav-write buf | flush cs | sync me tcc.wbinv | draw cb0.write color",
        "dispatch cs.uav-write buf | flush cs | draw cb0.write color",
    ),
    "PFP is held by a wait of its own": (
        (
            "dispatch cs.uav-write buf | eop label = 1 with tcc.wbinv | wait pfp label == 1 | "
            "draw pfp.args buf"
        ),
        (
            "dispatch cs.uav-write buf | eop label = 1 with tcc.wbinv | wait me label == 1 | "
            "draw pfp.args buf"
        ),
    ),
    "or by ME": (
        (
            "dispatch cs.uav-write buf | eop label = 1 with tcc.wbinv | wait me label == 1 | "
            "pfp-sync-me | draw pfp.args buf"
        ),
        (
            "dispatch cs.uav-write buf | eop label = 1 with tcc.wbinv | pfp-sync-me | "
            "wait me label == 1 | draw pfp.args buf"
        ),
    ),
    "arguments are read before ME sees the draw": (
        "draw pfp.args buf | dispatch cs.uav-write buf",
        "draw pfp.index buf | dispatch cs.uav-write buf",
    ),
    "a synchronous DMA": (
        "copy as dma sync dma.write buf | draw ps.texture buf",
        "copy as dma dma.write buf | draw ps.texture buf",
    ),
    "an idle is not a DMA wait": (
        "copy as dma dma.write buf | dma wait me | draw ps.texture buf",
        "copy as dma dma.write buf | wait idle | draw ps.texture buf",
    ),
    "DMAs one behind the other": (
        "copy as dma dma.write buf | copy as dma raw-wait dma.write buf",
        "copy as dma dma.write buf | copy as dma dma.write buf",
    ),
    "CS_DONE is for dispatches": (
        (
            "dispatch cs.uav-write buf | eos cs label = 1 | wait me label == 1 | "
            "sync me tcp.wbinv | draw ps.texture buf"
        ),
        (
            "dispatch cs.uav-write buf | eos ps label = 1 | wait me label == 1 | "
            "sync me tcp.wbinv | draw ps.texture buf"
        ),
    ),
    "a frame drops old lines": (
        (
            "draw ps.texture buf | flush ps | copy as dma sync dma.write buf | frame | "
            "draw ps.texture buf"
        ),
        (
            "draw ps.texture buf | flush ps | frame | copy as dma sync dma.write buf | "
            "draw ps.texture buf | flush ps | copy as dma sync dma.write buf | draw ps.texture buf"
        ),
    ),
}
"""Commands with a bar between them; every last one is a work."""


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("guarantees", ["documented", "strict"])
def test_one_is_clean_and_the_other_is_not(name: str, guarantees: str) -> None:
    clean, failing = PAIRS[name]
    assert position(clean, guarantees) is None
    assert position(failing, guarantees) == last_work(failing)


def last_work(commands: str) -> int:
    return commands.count("|")


LEANING = {
    "PS_PARTIAL_FLUSH": (
        "draw cb0.write color | event cb.pixels.wbinv | flush ps | draw ps.texture buf"
    ),
    "PS_DONE": (
        "draw cb0.write color | event cb.pixels.wbinv | eos ps label = 1 | "
        "wait me label == 1 | draw ps.texture buf"
    ),
    "EOP": (
        "draw cb0.write color | event cb.pixels.wbinv | eop label = 1 | wait me label == 1 | "
        "draw ps.texture buf"
    ),
    "CS_PARTIAL_FLUSH": (
        "dispatch cs.uav-write buf | eop with tcc.wbinv | flush cs | pfp-sync-me | "
        "draw pfp.args buf"
    ),
    "order behind an event": ("draw ps.texture buf | event cb.pixels.wb | draw cb0.write color"),
}


@pytest.mark.parametrize("name", LEANING)
def test_what_only_documented_gives(name: str) -> None:
    assert position(LEANING[name], "documented") is None
    assert position(LEANING[name], "strict") == last_work(LEANING[name])


def test_vs_partial_flush_confirms_nothing() -> None:
    commands = "draw cb0.write color | event cb.pixels.wbinv | flush vs | draw ps.texture buf"
    assert position(commands, "documented") == 3


def test_fmask_needs_an_idle_on_xbox_one_only() -> None:
    commands = (
        "draw cb0.write masked.fmask | event cb.metadata.wbinv | sync me coherent cb0 all | "
        "draw ps.texture buf"
    )
    assert position(commands, "strict") == 3
    assert position(commands, "strict", "gcn2-bonaire") is None
    assert position(commands.replace("sync me coherent cb0 all", "wait idle"), "strict") is None


def test_the_first_of_several_hazards_counts() -> None:
    commands = "draw ps.texture buf | dispatch cs.uav-write buf | draw cb0.write color"
    assert position(commands) == 1


def test_a_command_can_be_wrong_by_itself() -> None:
    assert position("draw ps.texture buf; cb0.write color") == 0
    assert position("draw cb0.blend color; ps.texture masked") is None
    assert position("dispatch cs.uav-read buf; cs.uav-write buf") is None
    assert position("draw vs.uav-write buf; ps.uav-write buf") == 0


def test_a_wait_that_nothing_ends() -> None:
    assert position("wait me label == 1 | draw ps.texture buf") == 0
    assert position("wait me label == 0 | draw ps.texture buf") is None
    assert position("wait pfp label == 1 | eop label = 1 | draw ps.texture buf") == 0


def test_behind_a_wait_of_pfp_that_never_ends() -> None:
    """Nothing happens there; the checker judges it as if it did, so any position is as good."""
    commands = "wait me label == 0 | wait pfp label != 0 | set pfp label = 1 | draw ps.texture buf"
    found = verdict(stream(commands))
    assert not found.clean
    assert found.position == 1
    assert found.also == (0, 1, 2, 3)
    on_me = verdict(stream(commands.replace("pfp label != 0", "me label != 0")))
    assert on_me.position == 0
    assert on_me.also == (0,)


def test_two_queues() -> None:
    order = """
queue gfx: graphics
  draw cb0.write color
  event cb.pixels.wbinv
  sync me coherent cb0 color
  eop label = 1
queue async: compute
  wait me label == 1
  dispatch cs.texture buf
"""
    program = stream("draw ps.texture buf")
    text = order.split("queue gfx: graphics\n")[1]
    ordered = stream(text)
    assert len(ordered.queues) == 2
    assert verdict(ordered).clean
    race = stream(text.replace("  wait me label == 1\n", ""))
    assert verdict(race).how.endswith("a race between queues")
    assert verdict(program).clean
