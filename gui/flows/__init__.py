"""One object per thing a person sets out to do: it connects the places on the screen with the desk."""
