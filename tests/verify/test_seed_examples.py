"""The seed's examples: clean, and with old lines about not one piece of them can go."""

from __future__ import annotations

import pytest

from fencepost.stream.program import Program
from fencepost.stream.text.parser import parse_text
from tests.verify.cases import lighter, verdict

HEADER = """
machine xbox-one
color  target 64 at 0x1000
buffer pixels 64 at 0x1000
buffer other  64 at 0x2000
buffer args   64 at 0x3000
buffer consts 64 at 0x4000
label  done = 0 at 0x9000
"""

REUSE = {
    "constant buffer": """
queue cpu: cpu
  write-combined consts[0:16]
  kickoff gfx
  write-combined consts[16:32]
  kickoff gfx
queue gfx: graphics
  kickoff
  draw vs.constant consts[0:16]
  kickoff
  sync me tcc.wbinv k.inv
  draw vs.constant consts[16:32]
""",
    "render target to texture, EOS": """
queue gfx: graphics
  draw ps.texture pixels
  flush ps
  draw cb0.write target
  event cb.pixels.wbinv
  eos ps done = 1
  wait me done == 1
  sync me tcc.wbinv tcp.wbinv
  draw ps.texture pixels
""",
    "render target to texture, surface sync": """
queue gfx: graphics
  draw ps.texture pixels
  flush ps
  draw cb0.write target
  event cb.pixels.wbinv
  sync me tcc.wbinv tcp.wbinv coherent cb0 target
  draw ps.texture pixels
""",
    "render target to texture, partial flush": """
queue gfx: graphics
  draw ps.texture pixels
  flush ps
  draw cb0.write target
  event cb.pixels.wbinv
  flush ps
  sync me tcc.wbinv tcp.wbinv
  draw ps.texture pixels
""",
    "UAV to render target, fence": """
queue gfx: graphics
  draw ps.texture other; cb0.blend target
  event cb.pixels.wb
  flush ps
  dispatch cs.uav-write pixels; cs.uav-write other
  eop done = 1 with tcc.wbinv tcp.wbinv
  wait me done == 1
  event cb.pixels.wbinv
  draw ps.texture other; cb0.blend target
""",
    "UAV to render target, partial flush": """
queue gfx: graphics
  draw ps.texture other; cb0.blend target
  event cb.pixels.wb
  flush ps
  dispatch cs.uav-write pixels; cs.uav-write other
  eop with tcc.wbinv tcp.wbinv
  flush cs
  event cb.pixels.wbinv
  draw ps.texture other; cb0.blend target
""",
    "UAV to indirect, wait on PFP": """
queue gfx: graphics
  draw vs.texture other
  flush vs
  dispatch cs.uav-write args; cs.uav-write other
  eop done = 1 with tcc.wbinv tcp.wbinv
  wait pfp done == 1
  draw pfp.args args; vs.texture other
""",
    "UAV to indirect, PFP_SYNC_ME": """
queue gfx: graphics
  draw vs.texture other
  flush vs
  dispatch cs.uav-write args; cs.uav-write other
  eop done = 1 with tcc.wbinv tcp.wbinv
  wait me done == 1
  pfp-sync-me
  draw pfp.args args; vs.texture other
""",
}

FIRST_USE = {
    "render target to texture, EOS": """
  draw cb0.write target
  event cb.pixels.wbinv
  eos ps done = 1
  wait me done == 1
  sync me tcc.wbinv
  draw ps.texture pixels
""",
    "render target to texture, surface sync": """
  draw cb0.write target
  event cb.pixels.wbinv
  sync me tcc.wbinv coherent cb0 target
  draw ps.texture pixels
""",
    "render target to texture, partial flush": """
  draw cb0.write target
  event cb.pixels.wbinv
  flush ps
  sync me tcc.wbinv
  draw ps.texture pixels
""",
    "UAV to render target, fence": """
  dispatch cs.uav-write pixels
  eop done = 1 with tcc.wbinv tcp.wbinv
  wait me done == 1
  event cb.pixels.wbinv
  event cb.metadata.wbinv
  draw cb0.blend target
""",
    "UAV to render target, partial flush": """
  dispatch cs.uav-write pixels
  eop with tcc.wbinv tcp.wbinv
  flush cs
  event cb.pixels.wbinv
  event cb.metadata.wbinv
  draw cb0.blend target
""",
    "UAV to indirect, wait on PFP": """
  dispatch cs.uav-write args
  eop done = 1 with tcc.wbinv tcp.wbinv
  wait pfp done == 1
  draw pfp.args args
""",
    "UAV to indirect, PFP_SYNC_ME": """
  dispatch cs.uav-write args
  eop done = 1 with tcc.wbinv tcp.wbinv
  wait me done == 1
  pfp-sync-me
  draw pfp.args args
""",
}

NOT_STRICT = {
    "render target to texture, EOS",
    "render target to texture, partial flush",
    "UAV to render target, partial flush",
}
"""What the seed's own rules do not give (cases/xbox_examples_reuse.md)."""


def reuse(name: str) -> Program:
    return parse_text(HEADER + REUSE[name])


@pytest.mark.parametrize("name", REUSE)
def test_with_old_lines_about_it_is_clean(name: str) -> None:
    assert verdict(reuse(name)).clean


@pytest.mark.parametrize(
    ("name", "what"), [(name, what) for name in REUSE for what, _ in lighter(reuse(name))]
)
def test_every_piece_is_needed(name: str, what: str) -> None:
    less = dict(lighter(reuse(name)))[what]
    assert not verdict(less).clean


@pytest.mark.parametrize("name", FIRST_USE)
def test_at_first_use_as_the_seed_writes_it(name: str) -> None:
    program = parse_text(f"{HEADER}\nqueue gfx: graphics\n{FIRST_USE[name]}")
    assert verdict(program, "documented").clean
    assert verdict(program, "strict").clean == (name not in NOT_STRICT)
