"""What the window knows: documents, findings, decisions, links. Knows signals, knows no widgets."""
