"""The `sabot` command: `main.py` is the frame, every other module here is one command."""
