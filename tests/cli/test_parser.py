"""What was mistyped is refused with what was probably meant; an optional word may come last."""

import pytest

from hgldp.cli import main
from hgldp.cli.commands.task import ACTIONS
from hgldp.cli.parser import make_parser


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("simulat x", "there is no command simulat; did you mean simulate? (hgldp --help)"),
        ("TASK list", "there is no command TASK; did you mean task? (hgldp --help)"),
        ("dance", "there is no command dance (hgldp --help)"),
        ("--versoin", "there is no option --versoin; did you mean --version? (hgldp --help)"),
        ("simulate x --epsilom 2", "there is no option --epsilom; did you mean --epsilon? (hgldp simulate --help)"),
        ("simulate x --epsilom=2", "there is no option --epsilom; did you mean --epsilon? (hgldp simulate --help)"),
        ("report x --taks y", "there is no option --taks; did you mean --task? (hgldp report --help)"),
        ("check --frobnicate", "there is no option --frobnicate; did you mean --certificate? (hgldp check --help)"),
        ("check -x", "unexpected option -x (hgldp check --help)"),
        (
            "ask --task Drinks tea -dash",
            "unexpected option -dash; an ITEM that begins with a dash comes after -- (hgldp ask --help)",
        ),
        (
            "ask --task Drinks tea --frobnicate",
            "there is no option --frobnicate; an ITEM that begins with a dash comes after -- (hgldp ask --help)",
        ),
        ("check now", "unexpected argument now (hgldp check --help)"),
        ("task shwo x", f"ACTION must be one of {', '.join(ACTIONS)}, got shwo; did you mean show?"),
        ("data ftech x", "ACTION must be one of list, fetch, path, got ftech; did you mean fetch?"),
        ("simulate x --level usr", "--level must be one of event, window, user, got usr; did you mean user?"),
        ("simulate x --k ten", "--k must be a whole number, got ten (hgldp simulate --help)"),
        ("top --task x --every often", "--every must be a number, got often (hgldp top --help)"),
        ("report x --max-epsilon 1", "--task must be given (hgldp report --help)"),
    ],
)
def test_a_mistyped_line_is_refused_with_the_nearest_there_is(
    line: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(line.split()) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"hgldp: error: {said}")


@pytest.mark.parametrize(
    "line", ["data path --data x retail", "data --data x path retail", "data path retail --data x"]
)
def test_an_optional_word_may_stand_before_or_after_the_options(line: str) -> None:
    chosen = make_parser().parse_args(line.split())
    assert (chosen.action, chosen.name, chosen.data) == ("path", "retail", "x")


@pytest.mark.parametrize("name", ["--epsilom or not", "-k=5 best ones"])
def test_a_text_with_a_blank_may_begin_like_an_option(name: str) -> None:
    chosen = make_parser().parse_args(["task", "create", "--name", name, "--k", "-5"])
    assert (chosen.name, chosen.k) == (name, -5)


def test_a_field_of_the_library_is_named_as_it_was_typed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "uniform:n=90,d=9", "--k", "3", "--light-cells", "-1"]) == 2
    assert capsys.readouterr().err.startswith("hgldp: error: --light-cells must be a whole number of at least 0")
