"""The dealer's display: font, words in French and English, and pages. Pure: state in, lines of text and dots out."""
