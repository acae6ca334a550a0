"""What can be typed after `hgldp completion`."""

from argparse import ArgumentParser

SUMMARY = "let bash, zsh or fish complete what you type"
DESCRIPTION = """\
Print a script that lets your shell complete commands, options, schemes, data sets and files when
you press Tab. Store it where your shell looks for such scripts, then open a new terminal."""

EXAMPLES = """\
examples:
  hgldp completion bash > ~/.local/share/bash-completion/completions/hgldp
  hgldp completion zsh > ~/.zfunc/_hgldp       # a folder of your fpath
  hgldp completion fish > ~/.config/fish/completions/hgldp.fish"""

SHELLS = ["bash", "zsh", "fish"]


def add_arguments(parser: ArgumentParser) -> None:
    """The shell."""
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help=", ".join(SHELLS))
