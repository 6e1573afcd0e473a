"""Relations between tickets: each is kept once, under both of its ends, and read from either."""

from __future__ import annotations

from scenarios.schema import Relations
from servers.linear.state import Edge, LinearState

RELATIONS = ("blocks", "blocked_by", "related_to", "duplicate_of", "duplicated_by")


def relate(state: LinearState, ticket: str, relations: Relations) -> None:
    """Adds the relations that `ticket` declares."""
    edges = [Edge("blocks", ticket, other) for other in relations.blocks]
    edges += [Edge("blocks", other, ticket) for other in relations.blocked_by]
    edges += [Edge("related", *sorted((ticket, other))) for other in relations.related_to]
    if relations.duplicate_of is not None:
        edges.append(Edge("duplicates", ticket, relations.duplicate_of))
    for edge in edges:
        for end in (edge.source, edge.target):
            state.edges.setdefault(end, {})[edge] = None


def unrelate(state: LinearState, ticket: str) -> None:
    """Removes every relation of `ticket`, whichever side declared it."""
    for edge in state.edges.pop(ticket, {}):
        other = edge.target if edge.source == ticket else edge.source
        if other != ticket:
            del state.edges[other][edge]


def related(state: LinearState, ticket: str) -> dict[str, list[str]]:
    """The tickets that exist now, by relation as seen from `ticket`, each list in the order of declaration."""
    found: dict[str, list[str]] = {name: [] for name in RELATIONS}
    for edge in state.edges.get(ticket, ()):
        outward = edge.source == ticket
        other = edge.target if outward else edge.source
        if other in state.tickets:
            found[_seen_as(edge, outward)].append(other)
    return found


def _seen_as(edge: Edge, outward: bool) -> str:
    if edge.kind == "related":
        return "related_to"
    if edge.kind == "blocks":
        return "blocks" if outward else "blocked_by"
    return "duplicate_of" if outward else "duplicated_by"
