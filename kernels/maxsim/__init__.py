"""Late interaction between a query's token states and many state snapshots."""
