"""Git: the company's repositories as real Git objects over time, and reading them."""
