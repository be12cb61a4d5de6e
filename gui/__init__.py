"""What a person sees and does. Imports no torch and no MuPDF, and opens no contract's bytes."""
