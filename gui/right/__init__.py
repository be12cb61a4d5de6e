"""The panel right of the pages: the evidence for the chosen finding, and the link form."""
