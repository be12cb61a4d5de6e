"""Learning from a person's labels: the verifier tuned, a correction fitted, both measured on contracts left out."""
