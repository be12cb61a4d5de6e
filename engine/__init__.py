"""Everything that knows about contracts. The rooms and who may import whom: ARCHITECTURE.md."""

APP_VERSION = "0.1.0"
