"""What the simulated board is started with: ``micropython sim_boot.py REQUEST_FD ANSWER_FD``.

The interpreter keeps every word of a source that it compiles; what there is to do is in ``_boot``, compiled beforehand.
"""

from _boot import main

main()
