"""Tests of the odds: against plain enumeration, closed forms, published figures and the references."""
