"""Where Git shows what an event said: a commit's message, author and files, and the names of branches and tags."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any

from envs.clock import format_instant
from envs.workplace.enquiry import Enquiry
from envs.workplace.showing import Locator, Search, Showing
from scenarios.evidence import folded

_READ = 2000


async def _commit(search: Search) -> Showing | None:
    """The commit's message says the words, or one of the files that it wrote, as the file is in that commit."""
    payload: Any = search.event.payload
    sha = await commit_of(search)
    if sha is None:
        return None
    shown = await search.enquiry.ask("git.git_show", repository=payload.repo, ref=sha)
    message, author, time = (shown["commit"][key] for key in ("message", "author", "time"))
    if search.told(message):
        return Showing((message,), (payload.by,), beside=sha, time=time)
    if folded(payload.by) == folded(search.words):
        return Showing((author,), (payload.by,), beside=sha, time=time)
    for path in getattr(payload, "write", ()):
        content = await file_at(search.enquiry, payload.repo, sha, path)
        if search.told(content) or search.told(path):
            return Showing((content, path), beside=path, time=time)
    changed = (
        *getattr(payload, "delete", ()),
        *(name for pair in dict(getattr(payload, "rename", {})).items() for name in pair),
    )
    named = [path for path in changed if search.told(path)]
    return Showing((*named, shown["content"]), beside=sha, time=time) if named else None


async def _branch(search: Search) -> Showing | None:
    """The repository has the branch, or after its deletion no longer has it."""
    payload: Any = search.event.payload
    listed = await search.enquiry.ask("git.list_remote_git_repositories")
    found = [each for each in listed["repositories"] if each["name"] == payload.repo] if listed is not None else []
    if not found or not search.told(payload.branch):
        return None
    there = payload.branch in found[0]["branches"]
    return Showing((payload.branch,), beside=payload.repo) if there == (search.event.kind == "git.branch") else None


async def _tag(search: Search) -> Showing | None:
    payload: Any = search.event.payload
    cloned = await _clone(search.enquiry, payload.repo)
    there = cloned is not None and payload.tag in cloned["tags"] and search.told(payload.tag)
    return Showing((payload.tag,), beside=payload.repo) if there else None


async def _pull(search: Search) -> Showing | None:
    """The pull request, one of its reviews or comments, or how it ended, says the words."""
    payload: Any = search.event.payload
    detail = await search.enquiry.ask("git.get_pull_request", repository=payload.repo, number=payload.number)
    if detail is None:
        return None
    said = [
        entry
        for entry in _pull_entries(search.event.kind, detail)
        if any(map(search.told, entry)) and payload.by in entry
    ]
    if not said:
        return None
    texts = tuple(str(text) for entry in said for text in entry)
    return Showing(texts, (payload.by,), beside=detail["pull_request"]["title"])


def _pull_entries(kind: str, detail: Any) -> list[tuple[Any, ...]]:
    """What a pull request shows of an event of that kind, each with who did it."""
    pull = detail["pull_request"]
    match kind:
        case "git.open_pull":
            return [(pull["title"], detail["body"], pull["author"], pull["source"], pull["into"])]
        case "git.review_pull":
            return [(each["body"], each["verdict"], each["author"]) for each in detail["reviews"]]
        case "git.comment_pull":
            return [(each["body"], each["path"], each["author"]) for each in detail["comments"]]
        case _:
            return [(pull["state"], pull["number"], detail["ended_by"])] if pull["ended_at"] else []


async def _merged(search: Search) -> Showing | None:
    """The merge commit says the words, or the pull request that it ended."""
    return await _commit(search) or await _pull(search)


async def commit_of(search: Search) -> str | None:
    """The commit that the event made, by its author and instant, or that its tag or branch names now."""
    payload: Any = search.event.payload
    if search.event.kind in ("git.tag", "git.branch"):
        name = payload.tag if search.event.kind == "git.tag" else payload.branch
        await _clone(search.enquiry, payload.repo)
        log = await search.enquiry.ask("git.git_log", repository=payload.repo, ref=name, limit=1)
        return None if log is None else str(log["commits"][0]["sha"])
    email = next(person.email for person in search.scenario.org.people if person.handle == payload.by)
    time = format_instant(search.event.time)
    async for commit in _commits(search.enquiry, payload.repo):
        if commit["time"] == time and f"<{email}>" in commit["author"]:
            sha: str = commit["sha"]
            return sha
    return None


async def _commits(enquiry: Enquiry, repository: str) -> AsyncIterator[Any]:
    cloned = await _clone(enquiry, repository)
    for ref in (*cloned["branches"], *cloned["tags"]) if cloned is not None else ():
        for commit in await enquiry.entries("git.git_log", "commits", repository=repository, ref=ref):
            yield commit


async def _clone(enquiry: Enquiry, repository: str) -> Any:
    return await enquiry.ask("git.clone_repository", repository=repository)


async def file_at(enquiry: Enquiry, repository: str, ref: str, path: str) -> str:
    """The text of a file in a commit of the clone, empty where it can't be read as text."""
    return await paged_text(enquiry, "git.git_show", repository=repository, ref=ref, path=path)


async def paged_text(enquiry: Enquiry, op: str, **arguments: str) -> str:
    """The whole `content` of an op that gives it by lines; empty where it refuses."""
    text: str = ""
    offset = 0
    while True:
        page: Any = await enquiry.ask(op, **arguments, offset=offset, limit=_READ)
        if page is None:
            return text
        text += page["content"]
        if not page["truncated"]:
            return text
        offset = page["next_offset"]


GIT: Mapping[str, Locator] = {
    "git.commit": _commit,
    "git.merge": _commit,
    "git.merge_pull": _merged,
    "git.open_pull": _pull,
    "git.review_pull": _pull,
    "git.comment_pull": _pull,
    "git.close_pull": _pull,
    "git.branch": _branch,
    "git.delete_branch": _branch,
    "git.tag": _tag,
}
"""Event kind -> where its words are looked for."""
