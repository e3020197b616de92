"""Tests of the table: pure logic, driven by events, on virtual time."""
