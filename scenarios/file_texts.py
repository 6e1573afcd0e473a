"""Files beside a scenario whose text it takes over with `from:`: read once, when it is loaded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from scenarios.git_names import contained_path
from scenarios.git_schema import ORDINARY, Content, FileContent, GitCommit, GitMerge
from scenarios.machine_schema import FilesWrite
from scenarios.mistake import KeyPath, Mistake, quoted, suggestion
from scenarios.part import Part

LIMIT_BYTES = 1024 * 1024


def with_texts(payload: Part, folder: Path, path: KeyPath) -> Part:
    """`payload` (at `path`) with the text of each file in it, and no `from`. `folder`: where the scenario lies.

    However an ordinary file was given, it is a plain text in `write` afterwards.
    Raises Mistake for a file that has neither `text` nor `from`, or both, and for one that can't be read as text.
    """
    match payload:
        case FilesWrite():
            return FilesWrite(path=payload.path, text=_text(payload, folder, path), mode=payload.mode)
        case GitCommit() | GitMerge():
            written = {
                name: _content(content, folder, (*path, "write", name)) for name, content in payload.write.items()
            }
            return payload.model_copy(update={"write": written})
        case _:
            return payload


def _content(content: Content, folder: Path, path: KeyPath) -> Content:
    if isinstance(content, str):
        return _plain(content, path)
    text = _text(content, folder, path)
    return text if content.mode == ORDINARY else FileContent(text=text, mode=content.mode)


def _text(file: FileContent | FilesWrite, folder: Path, path: KeyPath) -> str:
    if file.text is not None and file.source is not None:
        raise Mistake((*path, "from"), "a file has `text` or `from`, not both; remove one", at_key=True)
    if file.source is not None:
        return _plain(_read(file.source, folder, (*path, "from")), (*path, "from"))
    if file.text is None:
        raise Mistake(path, "a file needs `text` or `from` (a file beside the scenario)")
    return _plain(file.text, (*path, "text"))


def _plain(text: str, path: KeyPath) -> str:
    if "\x00" in text:
        raise Mistake(path, "the text has a NUL character, which no text file has; remove it")
    return text


def _read(name: str, folder: Path, path: KeyPath) -> str:
    """The text of the file `name` in `folder`, its line ends as they are."""
    file = checked_file(name, folder, path)
    try:
        with file.open("rb") as stream:
            data = stream.read(LIMIT_BYTES + 1)
    except OSError as error:
        raise Mistake(path, f"the file {quoted(name)} can't be read ({error.strerror}); look at its rights") from None
    if len(data) > LIMIT_BYTES:
        raise Mistake(path, f"the file {quoted(name)} is larger than {LIMIT_BYTES >> 20} MiB; make it smaller")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        found = f"the byte 0x{data[error.start]:02X} at {error.start} of {quoted(name)} is not UTF-8"
        raise Mistake(path, f"{found}; save the file as UTF-8 text") from None


def checked_file(name: str, folder: Path, path: KeyPath) -> Path:
    """The file `name` in `folder` or below it. Raises Mistake where there is none, or it lies elsewhere."""
    try:
        contained_path(name)
    except ValueError as error:
        raise Mistake(path, str(error)) from None
    file = folder / name
    if not file.resolve().is_relative_to(folder.resolve()):
        raise Mistake(path, f"{quoted(name)} is a link out of the scenario's folder; put the file itself there")
    if not file.is_file():
        names = sorted(_files_beside(file)) if file.parent.is_dir() else []
        raise Mistake(path, f"there is no file {quoted(name)} beside the scenario{suggestion(file.name, names)}")
    return file


def _files_beside(file: Path) -> Iterator[str]:
    return (other.name for other in file.parent.iterdir() if other.is_file())
