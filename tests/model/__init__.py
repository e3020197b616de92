"""References written from the text of the by-law alone: they import nothing of the project."""
