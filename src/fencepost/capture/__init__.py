"""Captures: one package a format, from what tools record to programs."""
