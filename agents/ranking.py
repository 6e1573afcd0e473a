"""BM25: which passages speak most of what a question speaks of."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

_WORD = re.compile(r"\w+(?:[.-]\w+)*")
_K1 = 1.2
_B = 0.75


def words(text: str) -> list[str]:
    """The words of `text` without case, ids and numbers whole (`fit-12`, `14.0`)."""
    return _WORD.findall(text.casefold())


def ranked(query: str, passages: Sequence[str]) -> list[int]:
    """Indexes of the passages that share a word with `query`, best first; of equals the later one first.

    Okapi BM25 with k1 1.2, b 0.75 and the idf that is never negative: ln(1 + (n - df + 0.5) / (df + 0.5)).
    """
    counts = [Counter(words(passage)) for passage in passages]
    if not counts:
        return []
    lengths = [count.total() for count in counts]
    mean = sum(lengths) / len(lengths) or 1.0
    scores = [0.0] * len(counts)
    for word in dict.fromkeys(words(query)):
        frequency = sum(word in count for count in counts)
        if not frequency:
            continue
        weight = math.log(1 + (len(counts) - frequency + 0.5) / (frequency + 0.5))
        for index, count in enumerate(counts):
            if word in count:
                times = count[word]
                scores[index] += weight * times * (_K1 + 1) / (times + _K1 * (1 - _B + _B * lengths[index] / mean))
    return sorted((i for i, score in enumerate(scores) if score > 0), key=lambda i: (-scores[i], -i))
