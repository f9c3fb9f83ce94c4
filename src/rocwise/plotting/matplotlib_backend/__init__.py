"""Matplotlib backend."""
