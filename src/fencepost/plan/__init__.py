"""The lightest synchronization that makes a program right, and the least that mends one (design 7)."""
