"""What a contract fixes: typed values with their canonical form, span and role."""
