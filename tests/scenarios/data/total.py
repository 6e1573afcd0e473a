def total(items: list[float]) -> float:
    return sum(round(item, 2) for item in items)
