"""What happens on and around the table: chips placed and taken, cards drawn, and the truth about all of it.

Entry points: ``truth`` (the log of what really happened and when), ``uids`` (UIDs of tags from a seed), ``chips`` (a
casino's chips and hands that move them), ``air`` (what disturbs tags and readers), ``cards`` (packs), ``strip``
(what is printed on their faces), ``shoe`` (cards leaving the shoe as motions in time).

The controller learns of none of this but through fields, beams and lines; tests compare its journal with the truth.
"""
