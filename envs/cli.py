"""The command `envs`. Imports nothing heavy: `--help`, `list` and completion answer at once."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

# Typer carries its own copy of click and exports no base of its errors; the lock pins the version.
from typer._click.exceptions import ClickException, NoArgsIsHelpError

from envs.errors import Fault, UserError


def _examples(*commands: str) -> str:
    # \\b keeps the help formatter from joining the lines.
    return "\b\nExamples:\n" + "\n".join(f"  {command}" for command in commands)


app = typer.Typer(
    name="envs",
    help="A simulated workplace whose facts keep changing, and a bench for the agents that must keep up with it.",
    epilog=_examples("envs list", "envs run --scenario s12 --agent local", "envs report runs/s12-local-1"),
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
setup_app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Fetch what a part needs once.")
app.add_typer(setup_app, name="setup")


def _scenario_names(incomplete: str) -> list[str]:
    from scenarios.library import bundled

    return [name for name in ["all", *bundled()] if name.startswith(incomplete)]


def _scenarios(given: str) -> tuple[str, ...]:
    """The parts between commas; a file whose name has a comma is meant as it stands."""
    if Path(given).is_file():
        return (given,)
    return _parts(given) or ()


def _parts(given: str | None) -> tuple[str, ...] | None:
    return None if given is None else tuple(part.strip() for part in given.split(",") if part.strip())


def _scenario_files(incomplete: str) -> list[str]:
    """Bundled names, and the YAML files and folders of the shell's directory."""
    from scenarios.library import bundled

    here = sorted(path for path in Path().glob(f"{incomplete}*") if path.is_dir() or path.suffix in {".yaml", ".yml"})
    files = [f"{path}/" if path.is_dir() else str(path) for path in here]
    return [*(name for name in bundled() if name.startswith(incomplete)), *files]


def _question_names(ctx: typer.Context, incomplete: str) -> list[str]:
    """The questions of the scenario that stands before on the command line."""
    from scenarios.library import find
    from scenarios.loader import load

    # While an option's value is being typed, what stands before it is among the arguments not yet read.
    named = ctx.params.get("scenario") or next(iter(ctx.args), "")
    try:
        questions = load(find(named)).questions
    except UserError:
        return []
    return [question.id for question in questions if question.id.startswith(incomplete)]


def _agent_names(incomplete: str) -> list[str]:
    from agents.names import known_agents

    try:
        return [name for name in known_agents() if name.startswith(incomplete)]
    except UserError:
        return []  # a message would be printed into the line that is being typed


@app.command(
    epilog=_examples(
        "envs run --scenario s12",
        "envs run --scenario s12,my.yaml --agent gpt5 --trials 5",
        "envs run --resume --out runs/s12-gpt5-1",
        "envs run --replay runs/s12-gpt5-1",
    )
)
def run(
    scenario: Annotated[
        str | None,
        typer.Option(help="Scenario names or files, separated by commas, or `all`.", autocompletion=_scenario_names),
    ] = None,
    agent: Annotated[
        str | None,
        typer.Option(help="MODEL or MODEL+MEMORY; default `local`. See `envs list`.", autocompletion=_agent_names),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Seeds every request to a model that takes one; default 0.", min=0, max=2**31 - 1)
    ] = None,
    trials: Annotated[
        int | None, typer.Option(help="How often each scenario is run; default 1.", min=1, max=100_000)
    ] = None,
    pack: Annotated[
        str | None, typer.Option(help="Further tools, separated by commas: notify. They change the profile.")
    ] = None,
    concurrency: Annotated[int, typer.Option(help="How many episodes run at once.", min=1, max=256)] = 4,
    out: Annotated[Path | None, typer.Option(help="The run's folder; default a new one under runs/.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in --out.")] = False,
    replay: Annotated[
        Path | None, typer.Option(help="Use this run's recorded model replies only: no network, no key.")
    ] = None,
) -> None:
    """Run an agent over scenarios and print the results."""
    from envs.commands import run_command

    names = None if scenario is None else _scenarios(scenario)
    raise typer.Exit(
        run_command(
            names, agent, seed, trials, _parts(pack), concurrency=concurrency, out=out, resume=resume, replay=replay
        )
    )


@app.command(
    epilog=_examples("envs report runs/s12-local-1", "envs report runs/*", "envs report runs/s12-local-1 --json")
)
def report(
    runs: Annotated[list[Path], typer.Argument(help="Folders that `envs run` wrote.")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object (of one run).")] = False,
) -> None:
    """Print the figures of saved runs."""
    from envs.commands import report_command

    raise typer.Exit(report_command(runs, as_json=as_json))


@app.command("list", epilog=_examples("envs list"))
def list_() -> None:
    """List the scenarios and the agents that can be named."""
    from agents.names import known_agents
    from scenarios.library import bundled

    typer.echo("Scenarios (--scenario): " + ", ".join(bundled()))
    typer.echo("Agents (--agent): " + ", ".join(known_agents()) + ", openai:NAME@http://HOST:PORT/v1")


@app.command(epilog=_examples("envs serve --scenario s12 --transport stdio"))
def serve(
    scenario: Annotated[str, typer.Option(help="A scenario's name or file.", autocompletion=_scenario_names)],
    transport: Annotated[str, typer.Option(help="stdio: one client, one run.")] = "stdio",
    pack: Annotated[str | None, typer.Option(help="Further tools, separated by commas: notify.")] = None,
) -> None:
    """Offer a scenario's tools to any MCP client, as the company stands at the last question."""
    from envs.commands import serve_command

    raise typer.Exit(serve_command(scenario, transport, _parts(pack) or ()))


@app.command(epilog=_examples("envs validate", "envs validate s12 --strict", "envs validate my-scenario.yaml --json"))
def validate(
    scenarios: Annotated[
        list[str] | None,
        typer.Argument(help="Names or files; default every bundled one.", autocompletion=_scenario_files),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Warnings are errors.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Check scenarios: evidence, oracle, mutations, leaks, curation. Exit code 1 with findings that count."""
    from envs.authoring import validate_command

    raise typer.Exit(validate_command(scenarios or (), strict=strict, as_json=as_json))


@app.command(
    epilog=_examples(
        "envs show s12",
        "envs show s12 --at 2025-10-17T10:15 --platform linear",
        "envs show s12 --diff launch_day launch_day_now",
        "envs show s12 --trace launch_day",
    )
)
def show(
    scenario: Annotated[str, typer.Argument(help="A scenario's name or file.", autocompletion=_scenario_files)],
    at: Annotated[
        str | None, typer.Option(help="The world as the agent can see it at a time, an event or a question.")
    ] = None,
    diff: Annotated[
        tuple[str, str] | None, typer.Option(help="What differs between two such times.", metavar="T1 T2")
    ] = None,
    platform: Annotated[str | None, typer.Option(help="With --at or --diff: one platform only.")] = None,
    trace: Annotated[
        str | None,
        typer.Option(help="The chain behind a question's answer.", metavar="QUESTION", autocompletion=_question_names),
    ] = None,
    answers: Annotated[bool, typer.Option("--answers", help="With the answers, which are hidden otherwise.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The event history as one JSON object.")] = False,
) -> None:
    """Show a scenario: people, timeline and questions; or the world at a time; or the chain behind an answer."""
    from envs.authoring import show_command

    raise typer.Exit(
        show_command(scenario, at=at, diff=diff, platform=platform, trace=trace, answers=answers, as_json=as_json)
    )


@app.command(epilog=_examples("envs new my-scenario"))
def new(name: Annotated[str, typer.Argument(help="The scenario's name; its file is NAME.yaml, here.")]) -> None:
    """Write a commented scenario to start from, which loads and validates."""
    from envs.authoring import new_command

    raise typer.Exit(new_command(name))


@app.command(epilog=_examples("envs harden s12 --agent gpt5", "envs harden my-scenario.yaml --agent scan"))
def harden(
    scenario: Annotated[str, typer.Argument(help="A scenario's name or file.", autocompletion=_scenario_files)],
    agent: Annotated[str, typer.Option(help="The agent to try it on.", autocompletion=_agent_names)] = "local",
    out: Annotated[Path | None, typer.Option(help="The run's folder; default a new one under runs/.")] = None,
) -> None:
    """Run an agent and tell which questions it passes, and with which evidence read."""
    from envs.authoring import harden_command

    raise typer.Exit(harden_command(scenario, agent, out))


@setup_app.command("local", epilog=_examples("envs setup local"))
def setup_local_() -> None:
    """Fetch the small local model (93 MB, once), checked against its hash."""
    from envs.commands import setup_local_command

    raise typer.Exit(setup_local_command())


def main() -> None:
    """The entry point. A user's mistake is one line on stderr and exit code 2."""
    try:
        code = app(standalone_mode=False)
        sys.stdout.flush()
    except NoArgsIsHelpError as error:
        error.show()
        code = error.exit_code
    except ClickException as error:
        typer.echo(f"envs: {error.format_message()}", err=True)
        code = error.exit_code
    except UserError as error:
        typer.echo(f"envs: {error}", err=True)
        code = 2
    except Fault as fault:
        typer.echo(f"envs: {fault}", err=True)
        code = 1
    except BrokenPipeError:
        # The reader (`head`) has gone; what is left to flush has nowhere to go.
        sys.stderr.close()
        code = 141
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        typer.echo(f"envs: {where}{error.strerror}", err=True)
        code = 2
    raise SystemExit(code)


if __name__ == "__main__":
    main()
