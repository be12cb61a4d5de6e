"""The panel left of the pages: findings as an inbox, the clause tree, anchors, links."""
