"""What a host of the bundle starts: the server, on standard input and output."""

import sys

from deepresearch_mcp.__main__ import main

if __name__ == "__main__":
    sys.argv = ["deepresearch-server", "serve"]
    main()
