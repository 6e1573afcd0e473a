"""The checks by name, in the order in which they are made and told."""

from __future__ import annotations

from collections.abc import Sequence

from envs.checks import curation, evidence, giveaways, leaks, mutations, replaying, solving
from envs.checks.finding import Check

FIRST: Sequence[Check] = (Check("replay", "error", replaying.replays), Check("git", "error", replaying.builds))
"""Without these the others have nothing to look at; their time is told apart."""

CHECKS: Sequence[Check] = (
    Check("evidence", "error", evidence.presence),
    Check("answer", "error", evidence.answer_stated),
    Check("overturned", "error", evidence.overturned),
    Check("giveaway", "error", giveaways.told),
    Check("silent", "error", solving.silence),
    Check("oracle", "error", solving.solved),
    Check("mutation", "error", mutations.needed),
    Check("leak", "error", leaks.leaks),
    Check("contested", "warning", evidence.contested),
    Check("platform", "warning", solving.platforms_needed),
    Check("scan", "warning", solving.searched),
    Check("guess", "warning", giveaways.guessed),
    Check("hops", "warning", curation.hops),
    Check("switches", "warning", curation.switches),
    Check("platforms", "warning", curation.platforms),
    Check("spread", "warning", curation.spread),
    Check("time", "warning", curation.time_matters),
    Check("revision", "warning", curation.revised),
    Check("distractor", "warning", curation.distracted),
    Check("unnamed", "warning", curation.unnamed),
)
"""What a warning is told of, `--strict` takes for an error."""
