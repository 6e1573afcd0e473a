"""Serves the small company over standard input and output, as `envs serve` does."""

import asyncio
import sys

from envs.serve import serve_stdio
from small_company import small_company

if __name__ == "__main__":
    print("a stray line before the protocol", file=sys.stderr)
    asyncio.run(serve_stdio(small_company()))
