"""What is wrong with a text: file, line, column, what was expected; several at once."""

from __future__ import annotations

import pytest

from fencepost.errors import FencepostError, Problems
from fencepost.stream.limits import LONGEST_LINE, MOST_PROBLEMS
from fencepost.stream.text import parse_text

HEAD = """\
machine xbox-one
buffer heap 64
color hdr 8x8 rgba8 cmask
backbuffer back 8x8 rgba8
label fence = 0
queue gfx: graphics
"""
LINE = HEAD.count("\n") + 1


def problems(text: str) -> list[FencepostError]:
    """Everything that is wrong with the text."""
    with pytest.raises(Problems) as caught:
        parse_text(text, "a.fence")
    return list(caught.value.problems)


def messages(text: str) -> list[str]:
    return [str(problem) for problem in problems(text)]


COMMANDS = r"""
draw ps.texture heap
drw ps.texture heap
^ no statement 'drw' (did you mean 'draw'?); expected a declaration, 'queue' or a command

draw ps.texture heap
draw ps.textur heap
     ^ no access 'ps.textur' (did you mean 'ps.texture'?); expected ps.texture, ps.vertex, ...

draw ps.texture heap
draw px.texture heap
     ^ no block 'px'; expected vs, ps, cs, cb0, cb1, cb2, cb3, cb4, cb5, cb6, cb7, db, so, ...

draw cb7.write hdr
draw cb8.write hdr
     ^ no block 'cb8' (did you mean 'cb7'?); expected vs, ps, cs, cb0, cb1, cb2, cb3, cb4, ...

draw ps.texture heap
draw ps.texture heep
                ^ no resource 'heep' (did you mean 'heap'?); expected a resource declared before

draw ps.texture heap
draw ps.texture
               ^ the line ends here; expected the name of a resource

draw ps.texture heap
draw texture heap
     ^ unexpected 'texture'; expected an access, like 'ps.texture NAME'

draw ps.texture hdr.cmask
draw ps.texture hdr.cmsk
                ^ 'hdr' has no part 'cmsk' (did you mean 'cmask'?); expected pixels, cmask

draw ps.texture hdr.cmask
draw ps.texture hdr.
                ^ unexpected 'hdr.'; expected the name of a resource

draw ps.texture heap[0:64]
draw ps.texture heap[0:65]
                ^ range [0:65] of 'heap' is outside; expected within [0:64]

draw ps.texture heap[8:16]
draw ps.texture heap[16:8]
                ^ range [16:8] of 'heap' is empty; expected within [0:64]

draw ps.texture heap[8:16]
draw ps.texture heap[8:8]
                ^ range [8:8] of 'heap' is empty; expected within [0:64]

draw ps.texture heap[0:64]
draw ps.texture heap[0:64
                         ^ the line ends here; expected ']'

draw ps.texture heap[0:64]
draw ps.texture heap[0-64]
                     ^ '0-64' is not a size; expected bytes: a number, or one like 64K

draw ps.texture heap[0:64B]
draw ps.texture heap[0:64KB]
                       ^ wrong unit 'KB'; expected B, K, M or G (powers of 1024)

draw ps.texture heap hit-lru
draw ps.texture heap hit-lri
                     ^ no policy 'hit-lri' (did you mean 'hit-lru'?); expected a range, a ...

draw ps.texture heap; ps.code heap
draw ps.texture heap, ps.code heap
                    ^ unexpected ','; expected a range, a policy, ';', '@' or the end

draw ps.texture heap
draw ps.texture heap;
                     ^ the line ends here; expected an access, like 'ps.texture NAME'

draw @ 1ms
draw @ 1m
       ^ unexpected '1m'; expected a duration like 1.5ms, or key=value

draw @ a=1
draw @ a=
         ^ the line ends here; expected a value

draw @ a=1 b=2
draw @ a=1 a=2
           ^ a second 'a'; expected each cost once

draw @ a=1
draw @
      ^ the line ends here; expected a duration like 1.5ms, or key=value

draw "x"
draw "x
     ^ " without its end; expected an access, like 'ps.texture NAME'

draw "\u00e9"
draw "\ud800"
     ^ wrong escape in a name; expected JSON's escapes

draw "\n"
draw "\q"
     ^ wrong escape in a name; expected JSON's escapes

draw
draw $
     ^ unexpected '$'; expected an access, like 'ps.texture NAME'

flush ps
flush ds
      ^ unexpected 'ds'; expected vs or ps or cs

flush ps
flush
     ^ the line ends here; expected vs or ps or cs

flush ps
flush ps now
         ^ unexpected 'now'; expected the end of the line

eos ps fence = 1
eos vs fence = 1
    ^ unexpected 'vs'; expected ps or cs

eos ps fence = 1
eos ps fence == 1
             ^ unexpected '=='; expected '='

eop fence = 1
eop fence = one
            ^ unexpected 'one'; expected a value

eop fence = 1
eop fence = 1K
            ^ unexpected '1K'; expected a value

eop fence = 1 with tcc.wbinv
eop fence = 1 with
                  ^ the line ends here; expected cache operations, like 'tcc.wbinv'

eop with tcc.wbinv
eop with tcc.flush
         ^ no cache operation 'tcc.flush'; expected a cache and .wb, .inv or .wbinv, like ...

wait fence == 1
wait fence = 1
           ^ unexpected '=' (did you mean '=='?); expected always or < or <= or == or != or ...

wait me fence == 1
wait mi fence == 1
     ^ no resource 'mi'; expected a resource declared before

wait fence == 1 & 0xff
wait fence == 1 &
                 ^ the line ends here; expected a mask

set fence = 1
set fence
         ^ the line ends here; expected '='

sync coherent cb0 hdr
sync coherent cb9 hdr
              ^ no resource 'cb9'; expected a resource declared before

sync coherent 0x0:0x10
sync coherent 0x0
                 ^ the line ends here; expected ':'

copy heap from heap
copy heap heap
          ^ unexpected 'heap'; expected 'from'

copy heap from heap by pfp
copy heap from heap by cpu
                       ^ unexpected 'cpu'; expected me or pfp

copy heap from heap through tcc
copy heap from heap through tcp
                            ^ unexpected 'tcp' (did you mean 'tcc'?); expected tcc or ...

resolve as draw
resolve
       ^ the line ends here; expected 'as draw' or 'as dispatch'

clear as draw
clear as drew
         ^ unexpected 'drew' (did you mean 'draw'?); expected draw or dispatch or dma or cpu ...

dma wait
dma
   ^ the line ends here; expected 'wait'

present back
present
       ^ the line ends here; expected the name of a back buffer

event cb.pixels.wb
event cb.pixels
      ^ no cache operation 'cb.pixels'; expected a cache and .wb, .inv or .wbinv, like tcc.wbinv
"""

DECLARATIONS = r"""
buffer x 64
buffer x
        ^ the line ends here; expected a size, like 64K

buffer x 64
buffer 64
       ^ unexpected '64'; expected the name of the buffer

buffer x 64K
buffer x 64Q
         ^ wrong unit 'Q'; expected B, K, M or G (powers of 1024)

buffer x 64K
buffer x 64k
         ^ wrong unit 'k'; expected B, K, M or G (powers of 1024)

buffer x 1
buffer x 0
       ^ 'x' is empty; expected at least one byte

buffer x 64
buffer x 1.5K
         ^ '1.5K' is not a size; expected bytes: a number, or one like 64K

buffer x 64 at 0x40
buffer x 64 at
              ^ the line ends here; expected the name of a resource

buffer x 1G at 0x0
buffer x 1G at 0xffffffffffff
       ^ 'x' ends beyond the address space; expected 48-bit addresses

buffer `me` 64
buffer me 64
       ^ 'me' is a word of the language; expected the name of the buffer, or `me` in backquotes

buffer x 64
buffer heap 64
       ^ a second resource 'heap'; expected a new name

buffer x 64
bufer x 64
^ no statement 'bufer' (did you mean 'buffer'?); expected a declaration, 'queue' or a command

color x 8x8 rgba8
color x 8x8 rgba9
      ^ no format 'rgba9' (did you mean 'rgba8'?); expected r8, rg8, rgba8, bgra8, rgb10a2, ...

color x 8x8 rgba8
color x 8x8 d24s8
      ^ 'd24s8' is no color format; expected r8, rg8, rgba8, bgra8, rgb10a2, rg11b10f, r16, ...

depth x 8x8 d16
depth x 8x8 rgba8
      ^ 'rgba8' is no depth format; expected d16, d24s8, d32f, d32fs8

color x 8x8 rgba8
color x 8x8
           ^ the line ends here; expected a format, like rgba8 or d24s8

color x 8x8 rgba8
color x 0x8 rgba8
      ^ 'x' is empty; expected at least one byte

color x 8x8 rgba8
color x rgba8
        ^ unexpected 'rgba8'; expected a shape, like 1920x1080 rgba8, or a size, like 8M

color x 8x8 rgba8 cmask
color x 8x8 rgba8 htile
                  ^ unexpected 'htile'; expected cmask, fmask or the end of the line

color x 8x8 rgba8 cmask
color x 8x8 rgba8 cmask cmask
                        ^ a second cmask; expected each part once

color x 1K cmask 16
color x 1K cmask
      ^ cmask needs a size where the target has no width, height and format; expected a size ...

color x 1K at 0x0 cmask 16 at 0x800
color x 1K cmask 16 at 0x800
      ^ cmask has an address and 'x' itself has none; expected an address for the pixels too

label x = 1
label x = -1
          ^ unexpected '-1'; expected the starting value

label x 1 = 255
label x 1 = 256
      ^ starting value 256 does not fit into 'x'; expected a value of 1 bytes

label x, y
label x y
        ^ unexpected 'y'; expected the end of the line

label x, y
label x,
        ^ the line ends here; expected the name of the label

label x at 0x40, y at 0x48
label x at 0x40, y at 0x44
                 ^ label 'y' lies on the bytes of label 'x'; expected bytes of its own

queue x: compute
queue x: computer
         ^ unexpected 'computer' (did you mean 'compute'?); expected graphics or compute or ...

queue x: compute
queue x compute
        ^ unexpected 'compute'; expected ':'

queue x: compute
queue heap
          ^ the line ends here; expected ':'

guarantees strict
guarantees strickt
           ^ unexpected 'strickt' (did you mean 'strict'?); expected documented or strict

# machine
machine xbox-one
^ a second machine; expected one, before all else
"""


def cases(table: str) -> list[tuple[str, str, int, str]]:
    """Blocks of three lines: one that is right, one that is wrong, a caret with the message."""
    found = []
    for block in table.strip("\n").split("\n\n"):
        right, wrong, message = block.split("\n")
        column = message.index("^")
        found.append((right, wrong, column + 1, message[column + 2 :]))
    return found


def check(head: str, right: str, wrong: str, column: int, message: str) -> None:
    parse_text(head + right)
    (found,) = problems(head + wrong)
    line = head.count("\n") + 1
    place = f"a.fence:{line}:{column}: "
    if message.endswith("..."):
        assert str(found).startswith(place + message.removesuffix("..."))
    else:
        assert str(found) == place + message


@pytest.mark.parametrize(("right", "wrong", "column", "message"), cases(COMMANDS))
def test_a_wrong_command(right: str, wrong: str, column: int, message: str) -> None:
    check(HEAD, right, wrong, column, message)


@pytest.mark.parametrize(("right", "wrong", "column", "message"), cases(DECLARATIONS))
def test_a_wrong_declaration(right: str, wrong: str, column: int, message: str) -> None:
    check("machine xbox-one\nbuffer heap 64\n", right, wrong, column, message)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("queue x: graphics\nqueue y: graphics", "3:1: a second graphics queue 'y'; expected ..."),
        ("queue x: compute\nqueue x: copy", "3:7: a second queue 'x'; expected a new name"),
        ("guarantees strict\nguarantees strict", "3:1: a second guarantees line; expected one"),
        ("buffer x 4\nlabel x = 0", "3:7: a second resource 'x'; expected a new name"),
        (
            'queue x: compute\nallow a-rule "why"',
            "3:1: 'allow a-rule' is followed by no command; expected a command",
        ),
    ],
)
def test_two_lines_that_do_not_go_together(wrong: str, message: str) -> None:
    (found,) = messages(f"machine xbox-one\n{wrong}\n")
    assert found.startswith("a.fence:" + message.removesuffix("..."))


def test_the_message_is_one_line() -> None:
    (found,) = messages(HEAD + "draw ps.texture heep\nflush ps\n")
    assert "\n" not in found


def test_all_wrong_lines_are_told_in_the_order_of_the_text() -> None:
    text = HEAD + "flush xs\nflush ps\ndraw cs.texture heap\nwait fence 1\neop heap = 1\n"
    lines = [problem.place.line for problem in problems(text) if problem.place]
    assert lines == [LINE, LINE + 2, LINE + 3, LINE + 4]


def test_no_more_problems_than_people_read() -> None:
    assert len(problems(HEAD + "flush xs\n" * 1000)) == MOST_PROBLEMS
    assert len(problems(HEAD + "draw cs.texture heap\n" * 1000)) == MOST_PROBLEMS


def test_a_wrong_declaration_is_told_once_not_at_each_use() -> None:
    text = "machine xbox-one\nbuffer x 64Q\nqueue q: graphics\ndraw ps.texture x\nclear x\n"
    assert len(problems(text)) == 1


def test_a_wrong_queue_is_told_once_not_at_each_command() -> None:
    text = "machine xbox-one\nqueue q: graphic\nflush ps\nframe\n"
    assert len(problems(text)) == 1


def test_without_a_machine_line_that_is_told_once() -> None:
    found = messages("buffer x 64\nqueue q: graphics\ndraw ps.texture x\n")
    assert found == ["a.fence:1:1: no machine yet; expected 'machine NAME' before all else"]


def test_an_unknown_machine() -> None:
    (found,) = messages("machine xbox-won\nqueue q: graphics\nflush ps\n")
    assert found.startswith("a.fence:1:9: no machine 'xbox-won' (did you mean 'xbox-one'?);")


def test_a_command_outside_a_queue() -> None:
    (found,) = messages("machine xbox-one\nflush ps\n")
    assert found == "a.fence:2:1: a command outside a queue; expected 'queue NAME: KIND'"


@pytest.mark.parametrize("text", ["", "\n\n", "   \r\n", "# only a comment\n"])
def test_an_empty_text(text: str) -> None:
    assert messages(text) == ["a.fence:1:1: an empty stream; expected 'machine NAME'"]


def test_an_endless_line_is_refused_and_not_looked_at() -> None:
    right = HEAD + "draw" + " " * (LONGEST_LINE - 4)
    parse_text(right)
    (found,) = messages(right + "\t(")
    limit = LONGEST_LINE
    assert found == f"a.fence:{LINE}:1: a line of {limit + 2} characters; expected at most {limit}"


def test_a_line_of_the_greatest_length_is_read_in_linear_time() -> None:
    access = "; ps.texture heap"
    line = "draw ps.texture heap" + access * ((LONGEST_LINE - 40) // len(access))
    (command,) = parse_text(HEAD + line).queues[0].commands
    assert len(getattr(command, "accesses", ())) == line.count("heap")


def test_binary_junk() -> None:
    found = problems(bytes(range(256)).decode("latin-1") * 50)
    assert 0 < len(found) <= MOST_PROBLEMS
    assert all(str(problem).isprintable() for problem in found)


def test_deep_nesting() -> None:
    (found,) = problems(HEAD + "draw " + "[" * 100_000)
    assert found.problem == "unexpected '['"


def test_messages_quote_long_tokens_short() -> None:
    (found,) = problems(HEAD + "flush " + "x" * 5000)
    assert len(str(found)) < 200
