"""What stands between the board's sources and its files: the whole program made smaller, and compiled.

Entry points: :func:`sabot_build.tree.build`, and its parts :func:`sabot_build.shrink.shrink` and
:func:`sabot_build.compiler.compile_module`. The package imports nothing of ours, so that the simulator, the release and
the host's tools all use this one.
"""
