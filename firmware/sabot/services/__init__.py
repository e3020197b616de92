"""The tasks of the controller: each owns one concern and gets its drivers passed in.

Entry points: ``clock`` (time), ``keyed`` (HMAC), ``chips`` (what a tag is worth), ``deck`` (which card a tag is),
``scanner`` (the bet spots), ``shoe`` (cards leaving), ``panel`` (keys and lamps), ``link`` (the host),
``supervisor`` (critical tasks and watchdog).
"""
