"""Run by the board before USB starts. Nothing to do here: the file system is mounted, and main.py does the rest."""
