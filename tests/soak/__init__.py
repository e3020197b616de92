"""Hours of play at the whole table under bad fields, and every look at it judged by what lies there."""
