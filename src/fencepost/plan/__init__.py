"""The lightest synchronization that makes a program right.

And the least that mends one (design 7).
"""
