"""Written answers by a model that the person configures. Off until then: nothing here is imported by a review."""
