"""How hard tests look: as every day, or as `make test-all` does."""

import os

THOROUGH = os.environ.get("HYPOTHESIS_PROFILE") == "thorough"
