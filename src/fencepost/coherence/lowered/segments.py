"""What is known of each byte: segments of cells, each with lists of keys and positions.

As `coherence.memory`, over integers: a segment is a run of cells with one history, and its first
cell stands for it.
"""

from __future__ import annotations

from array import array

from fencepost.coherence.lowered.codes import LISTS
from fencepost.coherence.lowered.tables import ByteTables


class Segments:
    """The bytes of a program, cut as accesses need it.

    `owner`: the first cell of the segment that a cell is of, -1: none yet; `until`: the cell behind
    a segment. `head` holds the first node of each of a segment's lists, 0 if it is empty.
    """

    def __init__(self, memory: ByteTables) -> None:
        cells = len(memory.address)
        self.span_low = memory.low
        self.span_high = memory.high
        self.span_before = memory.before
        self.span_behind = memory.behind
        self.span_known = array("i", [0]) * len(memory.low)
        self.address = memory.address
        self.owner = array("i", [-1]) * cells
        self.until = array("i", [0]) * cells
        self.head = array("i", [0]) * (cells * LISTS)
        self.node_store = [array("q", [0]) * 1024, array("q", [0]) * 1024, array("q", [0]) * 1024]
        self.node_key, self.node_at, self.node_next = self.node_store
        self.nodes = 1
        self.room = 1024
        self.unused = 0

    def cover(self, span: int) -> int:
        """Cut segments so that some make up exactly that range; its first cell."""
        low = self.span_low[span]
        if not self.span_known[span]:
            self.span_known[span] = 1
            high = self.span_high[span]
            self.cut(low)
            self.cut(high)
            cell = low
            while cell < high:
                if self.owner[cell] < 0:
                    self.begin(cell, high)
                cell = self.until[cell]
        return low

    def begin(self, cell: int, high: int) -> None:
        """A segment of untouched cells."""
        end = cell
        while end < high and self.owner[end] < 0:
            self.owner[end] = cell
            end += 1
        self.until[cell] = end

    def cut(self, cell: int) -> None:
        """Let a segment begin here, if one goes across; it keeps what was known."""
        lower = self.owner[cell]
        if lower < 0 or lower == cell:
            return
        end = self.until[lower]
        self.until[lower] = cell
        self.until[cell] = end
        for number in range(cell, end):
            self.owner[number] = cell
        for kind in range(LISTS):
            node = self.head[lower * LISTS + kind]
            while node:
                self.put(cell, kind, self.node_key[node], self.node_at[node])
                node = self.node_next[node]

    # -- lists of keys and positions, in the order in which keys came

    def put(self, cell: int, kind: int, key: int, at: int) -> None:
        """Set the position of a key."""
        node = self.node_of(cell * LISTS + kind, key)  # which may move all nodes
        self.node_at[node] = at

    def put_most(self, cell: int, kind: int, key: int, at: int) -> None:
        """Raise the position of a key."""
        node = self.node_of(cell * LISTS + kind, key)
        self.node_at[node] = max(self.node_at[node], at)

    def node_of(self, place: int, key: int) -> int:
        """The node of a key in a list; a new one is at -1."""
        node, before = self.head[place], 0
        while node:
            if self.node_key[node] == key:
                return node
            before, node = node, self.node_next[node]
        node = self.new_node()
        self.node_key[node] = key
        self.node_at[node] = -1
        self.node_next[node] = 0
        if before:
            self.node_next[before] = node
        else:
            self.head[place] = node
        return node

    def new_node(self) -> int:
        """A node that is in no list."""
        node = self.unused
        if node:
            self.unused = self.node_next[node]
            return node
        if self.nodes == self.room:
            self.grow()
        self.nodes += 1
        return self.nodes - 1

    def grow(self) -> None:
        """Room for twice as many nodes."""
        self.node_store = [store + store for store in self.node_store]
        self.node_key, self.node_at, self.node_next = self.node_store
        self.room *= 2

    def clear(self, place: int) -> None:
        """Empty a list."""
        node = self.head[place]
        self.head[place] = 0
        while node:
            following = self.node_next[node]
            self.release_node(node)
            node = following

    def release_node(self, node: int) -> None:
        """A node is in no list any more."""
        self.node_next[node] = self.unused
        self.unused = node
