"""One mistake a file, in what it says of Git, of files on the agent's machine and of projects."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from broken_file import Broken, check_refusal
from scenarios.file_texts import LIMIT_BYTES
from scenarios.scenario import Scenario

Load = Callable[[str], Scenario]

LAST = "    git.delete_branch: {repo: postage, by: lee, branch: side}\n"
WRITE = 'write: {src/total.py: "euros = 1\\n"}'


def then(event: str) -> tuple[str, str]:
    """A further event, after all but the last ones."""
    return LAST, f"{LAST}  - at: +1m\n    {event}\n"


BROKEN: Broken = {
    # ---- names
    "repository_name": ("- name: postage\n", "- name: ¦Postage\n", "is no repository name; write lower-case"),
    "repository_ends": ("- {name: empty,", "- {name: ¦empty.git,", "ends in neither .git nor .lock"),
    "repository_twice": ("- {name: empty,", "- {name: ¦postage,", 'repository "postage" is there twice'),
    "default_branch": ("default_branch: trunk", "default_branch: ¦-trunk", "begins with a dash"),
    "identity": ("name: Kim Berg", 'name: ¦"Kim <Berg>"', "author's name; leave it out"),
    "ref_space": ("branch: fix/rounding}", 'branch: ¦"fix rounding"}', '" " can\'t stand in a branch'),
    "ref_dots": ("branch: fix/rounding}", "branch: ¦fix..rounding}", r'"\.\." can\'t stand'),
    "ref_lock": ("branch: fix/rounding}", "branch: ¦fix.lock/rounding}", 'with the part "fix.lock"'),
    "ref_hidden": ("branch: fix/rounding}", "branch: ¦fix/.rounding}", 'with the part ".rounding"'),
    "ref_slash": ("branch: fix/rounding}", "branch: ¦fix/}", 'with the part ""'),
    "ref_dot_end": ("branch: fix/rounding}", "branch: ¦fix.}", "ends in a dot"),
    "ref_head": ("branch: fix/rounding}", "branch: ¦HEAD}", "means something else to Git"),
    "ref_hash": ("branch: fix/rounding}", f"branch: ¦{'a1' * 20}}}", "means something else to Git"),
    "ref_option": ("tag: v1.1", 'tag: ¦"--upload-pack=x"', "begins with a dash"),
    "ref_number": ("tag: v1.1", "tag: ¦1.1", 'quotes: "1.1"'),
    "ref_long": ("tag: v1.1", f"tag: ¦{'v' * 121}", "1 to 120 characters"),
    # ---- paths
    "path_up": (WRITE, 'write: {¦../total.py: "x"}', r'has the part "\.\."'),
    "path_absolute": (WRITE, 'write: {¦/etc/passwd: "x"}', "is absolute"),
    "path_git": (WRITE, 'write: {¦.git/hooks/post-checkout: "x"}', "which is Git's own"),
    "path_git_case": (WRITE, 'write: {¦src/.GiT/config: "x"}', "which is Git's own"),
    "path_git_short": (WRITE, 'write: {¦git~1/config: "x"}', "which is Git's own"),
    "path_git_hidden": (WRITE, 'write: {¦".g\\u200cit/config": "x"}', "which is Git's own"),
    "path_submodules": (WRITE, 'write: {¦.gitmodules: "x"}', "which is Git's own"),
    "path_backslash": (WRITE, "write: {¦'src\\total.py': x}", "separate folders by /"),
    "path_nul": (WRITE, 'write: {¦"a\\0b": x}', "a character that no path here has"),
    "path_empty_part": (WRITE, 'write: {¦src//total.py: "x"}', 'has the part ""'),
    "path_long": (WRITE, f"write: {{¦{'ä' * 128}: x}}", "longer than 255 bytes"),
    "path_of_rename": ("{old/notes.txt: docs/notes.txt}", "{old/notes.txt: ¦./notes.txt}", r'has the part "\."'),
    "path_of_files": ("files.delete: {path: notes", "files.delete: {path: ¦../notes", r'has the part "\.\."'),
    "path_number": (WRITE, "write: {¦7: x}", "a key must be text"),
    # ---- what is written
    "content_number": (WRITE, "write: {src/total.py: ¦3.10}", 'quotes: "3.10"'),
    "content_key": (WRITE, "write: {src/total.py: {¦txt: x}}", 'unknown key "txt"; did you mean "text"'),
    "content_none": (WRITE, "write: {src/total.py: ¦{}}", "needs `text` or `from`"),
    "content_both": (WRITE, "write: {src/total.py: {text: x, ¦from: total.py}}", "not both"),
    "content_nul": (WRITE, 'write: {src/total.py: ¦"a\\0b"}', "NUL"),
    "content_mode": (WRITE, "write: {src/total.py: {text: x, mode: ¦100755}}", "write 100644 or 100755 or 120000"),
    "content_mode_text": (WRITE, 'write: {src/total.py: {text: x, mode: ¦"755"}}', 'did you mean "100755"'),
    "link_line_end": (
        '{text: src/total.py, mode: "120000"}',
        '¦{text: "src/total.py\\n", mode: "120000"}',
        "its target",
    ),
    "link_of_files": ('text: "Ask Lee\\n"', 'text: ¦"Ask Lee\\n", mode: "120000"', "its target"),
    "from_unknown": ("{from: total.py}", "{from: ¦totals.py}", 'no file "totals.py" beside.*did you mean "total.py"'),
    "from_up": ("{from: total.py}", "{from: ¦../total.py}", r'has the part "\.\."'),
    "from_folder": ("{from: total.py}", "{from: ¦/etc/passwd}", "is absolute"),
    # ---- people, repositories, branches
    "repo_unknown": (LAST, LAST.replace("repo: ", "repo: ¦").replace("postage", "postges"), 'did you mean "postage"'),
    "author_unknown": ("{repo: postage, by: kim, tag", "{repo: postage, by: ¦kin, tag", 'did you mean "kim"'),
    "branch_unknown": ("source: release\n", "source: ¦relase\n", 'did you mean "release"'),
    "branch_twice": ("branch: release, start", "branch: ¦fix/rounding, start", "is there then"),
    "branch_beside": ("branch: release, start", "branch: ¦fix, start", 'can\'t have "fix" beside "fix/rounding"'),
    "branch_early": ("branch: release, start: fixed", "branch: release, start: ¦joined", "branch or earlier commit"),
    "start_unknown": ("start: fixed", "start: ¦fixes", 'did you mean "fixed"'),
    "two_meanings": (
        "branch: side, start: root}",
        "branch: fixed}\n  - at: +1m\n    git.branch: {repo: postage, by: kim, branch: side, start: ¦fixed}",
        "is a branch and the id of another commit",
    ),
    "no_commit_yet": (*then("git.branch: ¦{repo: empty, by: kim, branch: next}"), "no commit before this"),
    "first_branch": (
        *then('git.commit: {repo: empty, by: kim, branch: ¦next, message: x, write: {a: "1"}}'),
        'the first commit of empty goes to "trunk"',
    ),
    "first_empty": (*then("git.commit: ¦{repo: empty, by: kim, message: x, delete: [a]}"), "needs files"),
    "default_deleted": ("branch: side}\n  - id: wrote", "branch: ¦main}\n  - id: wrote", "is the default branch"),
    "deleted_then_used": (
        *then("git.commit: {repo: postage, by: kim, branch: ¦side, message: x}"),
        "at that time called",
    ),
    "force_same": ("branch: release, to: fixed", "branch: release, to: ¦release", "is there already"),
    "tag_twice": (*then("git.tag: {repo: postage, by: kim, tag: ¦v1.1}"), 'tag "v1.1" is there then'),
    # ---- commits
    "nothing_given": (
        f"{{repo: postage, by: lee, message: Euros, {WRITE}}}",
        "¦{repo: postage, by: lee, message: Euros}",
        "changes nothing",
    ),
    "changes_nothing": (WRITE, 'write: {README.md: "# postage\\n"}', "this commit changes nothing"),
    "delete_absent": ("delete: [latest]", "delete: [¦lastest]", 'no "lastest" to delete'),
    "delete_written": ("delete: [latest]", "delete: [¦latest]\n      write: {latest: x}", "is in `write` too"),
    "rename_absent": ("{old/notes.txt: docs", "{¦old/note.txt: docs", 'no "old/note.txt" to rename'),
    "rename_onto": ("{old/notes.txt: docs/notes.txt}", "{old/notes.txt: ¦README.md}", '"README.md" is there already'),
    "under_file": (WRITE, 'write: {¦README.md/a: "x"}', '"README.md" is a file'),
    "over_folder": (WRITE, 'write: {¦src: "x"}', '"src" is a folder'),
    # ---- merges
    "conflict": (
        '      write: {src/total.py: "cents = 100\\neuros = 1\\n"}\n',
        "",
        'both sides changed "src/total.py"',
    ),
    "nothing_to_merge": ("source: release\n", "source: ¦fix/rounding\n", "nothing to merge"),
    "crosswise": (
        "    git.tag: {repo: postage, by: kim, tag: v1.1, message: Rounds once}\n",
        "    git.branch: {repo: postage, by: kim, branch: one, start: moved}\n"
        "  - at: +1m\n    git.branch: {repo: postage, by: kim, branch: two, start: fixed}\n"
        "  - at: +1m\n    git.merge: {repo: postage, by: kim, source: fix/rounding, branch: one}\n"
        "  - at: +1m\n    git.branch: {repo: postage, by: kim, branch: old, start: moved}\n"
        "  - at: +1m\n    git.merge: {repo: postage, by: kim, source: old, branch: two}\n"
        "  - at: +1m\n    git.merge: {repo: postage, by: kim, source: ¦two, branch: one}\n",
        "crosswise",
    ),
    # ---- pull requests
    "pull_twice": ("number: 9, source: side", "number: ¦7, source: side", "was opened before"),
    "pull_again": (
        "    git.review_pull: {repo: postage, by: kim, number: 7, verdict: approve}\n",
        "    git.open_pull: {repo: postage, by: kim, number: 8, source: ¦fix/rounding, title: Again}\n",
        "pull request 7 is open from there",
    ),
    "pull_nothing": ("number: 9, source: side", "number: 9, source: ¦fix/rounding", "has no commit that"),
    "pull_unknown": (
        "git.close_pull: {repo: postage, by: kim, number: 9}",
        "git.close_pull: {repo: postage, by: kim, number: ¦8}",
        "no pull request 8 then; there is 7, 9",
    ),
    "pull_ended": (
        "git.close_pull: {repo: postage, by: kim, number: 9}",
        "git.merge_pull: {repo: postage, by: kim, number: ¦7}",
        "pull request 7 is merged by then",
    ),
    "pull_zero": ("number: 9, source: side", "number: ¦0, source: side", "at least 1"),
    "pull_own": (
        "{repo: postage, by: kim, number: 7, verdict",
        "{repo: postage, by: ¦lee, number: 7, verdict",
        "somebody else must judge",
    ),
    "pull_verdict": ("verdict: approve", "verdict: ¦approved", 'did you mean "approve"'),
    "pull_conflict": (
        "git.close_pull: {repo: postage, by: kim, number: 9}",
        'git.commit: {repo: postage, by: kim, message: x, write: {README.md: "# p\\n"}}\n'
        "  - at: +1m\n    git.merge_pull: {repo: postage, by: kim, number: ¦9}",
        'both sides changed "README.md"; merge main into side before',
    ),
    "pull_branch_deleted": (
        "git.close_pull: {repo: postage, by: kim, number: 9}",
        "git.delete_branch: {repo: postage, by: kim, branch: ¦side}",
        "pull request 9 is open on it",
    ),
    "pull_file": ("path: src/total.py, line: 2", "path: ¦src/totals.py, line: 2", 'has no file "src/totals.py"'),
    "pull_line": ("path: src/total.py, line: 2", "path: src/total.py, line: ¦3", "the file has 2 lines"),
    "pull_line_alone": ("path: src/total.py, line: 2", "¦line: 2", "needs the `path`"),
    # ---- files, notices, projects, what is attached
    "file_absent": (
        "files.delete: {path: notes/today.md}",
        "files.delete: {path: ¦notes/today.txt}",
        'no "notes/today.txt" to delete',
    ),
    "file_same": (
        "files.delete: {path: notes/today.md}",
        'files.write: ¦{path: notes/today.md, text: "Ask Lee\\n"}',
        "leaves the file as it is",
    ),
    "file_under": (
        "files.delete: {path: notes/today.md}",
        "files.write: {path: ¦notes/today.md/a, text: x}",
        "is a file",
    ),
    "notice_source": ("{source: build, text: release is red}", "¦{text: release is red}", "`source` is missing"),
    "project_twice": (
        "projects: [{name: Postage, lead: kim}]",
        "projects: [{name: Postage}, {name: ¦postage}]",
        "there twice",
    ),
    "project_lead": ("{name: Postage, lead: kim}", "{name: Postage, lead: ¦kin}", 'did you mean "kim"'),
    "project_unknown": ("{project: Postage", "{project: ¦Postages", 'did you mean "Postage"'),
    "project_health": ("health: at_risk", "health: ¦red", "there is at_risk, off_track, on_track"),
    "attached_text": ('text: "zone,price\\n1,390\\n"', "¦txt: x", 'did you mean "text"'),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_file(name: str, git: str, load_text: Load) -> None:
    check_refusal(git, BROKEN[name], load_text)


def test_a_file_that_is_no_text_is_refused(git: str, load_text: Load, tmp_path: Path) -> None:
    def said(name: str, data: bytes, message: str) -> None:
        (tmp_path / name).write_bytes(data)
        check_refusal(git, ("{from: total.py}", f"{{from: ¦{name}}}", message), load_text)

    said("latin.py", b"# caf\xe9", r"byte 0xE9 at 5 of .latin\.py. is not UTF-8")
    said("nul.py", b"a\0b", "NUL")
    said("large.py", b"x" * (LIMIT_BYTES + 1), "larger than 1 MiB")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "inside.py").symlink_to("/etc/hostname")
    check_refusal(
        git, ("{from: total.py}", "{from: ¦folder/inside.py}", "a link out of the scenario's folder"), load_text
    )
    check_refusal(git, ("{from: total.py}", "{from: ¦folder}", "there is no file"), load_text)
