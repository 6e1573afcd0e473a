"""Call styles: how tools are offered to a model and its calls read back."""
