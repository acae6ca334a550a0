"""Public data sets: what is known of each, where a copy is kept, and how to find one by its name."""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from hgldp.errors import HgldpError, InvalidField

VARIABLE = "HGLDP_DATA"


def data_folder(
    chosen: str | None = None, environment: Mapping[str, str] = os.environ, platform: str = sys.platform
) -> Path:
    """The folder that was chosen, the one in HGLDP_DATA, or one in the user's cache.

    >>> data_folder("here", {}).as_posix(), data_folder(None, {"HGLDP_DATA": "there"}).as_posix()
    ('here', 'there')
    >>> data_folder(None, {"XDG_CACHE_HOME": "/var/cache/me"}, "linux").as_posix()
    '/var/cache/me/hgldp'
    """
    named = chosen or environment.get(VARIABLE)
    if named:
        return Path(named).expanduser()
    if platform == "win32" and environment.get("LOCALAPPDATA"):
        return Path(environment["LOCALAPPDATA"]) / "hgldp" / "cache"
    if platform == "darwin":
        return Path.home() / "Library" / "Caches" / "hgldp"
    cache = environment.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache") / "hgldp"


ENDINGS = (".dat.gz", ".dat", ".txt.gz", ".txt")
SCHEMES = ("http", "https")


@dataclass(frozen=True)
class Dataset:
    """Facts only; the data is never part of this package.

    `items` and `distinct` are counts, None where only a rough figure is published. `numbers` is the SHA-256 of the
    numbers (`hgldp.sources.numbers`), the same for every copy that differs in blanks or compression alone; `git_blob`
    the SHA-1 that git gives to the plain file. `address` is None for what its publisher does not serve in this form.
    """

    name: str
    title: str
    publisher: str
    citation: str
    terms: str
    page: str
    file: str
    items: int | None
    distinct: int
    address: str | None = None
    numbers: str | None = None
    git_blob: str | None = None
    note: str = ""

    def __post_init__(self) -> None:
        for address in (self.page, self.address):
            if address is not None:
                check_address(address)

    @property
    def is_pinned(self) -> bool:
        """Whether a copy can be verified."""
        return self.numbers is not None or self.git_blob is not None

    @property
    def file_names(self) -> tuple[str, ...]:
        """What a copy may be called."""
        return tuple(dict.fromkeys((self.file, *(self.name + ending for ending in ENDINGS))))


def check_address(address: str) -> str:
    """The address itself, if it is one of the web.

    >>> check_address("file:///etc/passwd")
    Traceback (most recent call last):
    hgldp.errors.InvalidField: address must begin with http:// or https://, got file:///etc/passwd
    """
    parts = urlsplit(address)
    if parts.scheme not in SCHEMES or not parts.hostname:
        raise InvalidField("address", "must begin with http:// or https://", address)
    return address


FIMI, SPMF = "http://fimi.uantwerpen.be/data/", "https://www.philippe-fournier-viger.com/spmf/"
NO_LICENCE = "no licence text seen"
_BODON = 'F. Bodon, "A fast APRIORI implementation", FIMI 2003'

DATASETS = {
    dataset.name: dataset
    for dataset in (
        Dataset(
            "kosarak",
            "clicks on a Hungarian news portal",
            "Ferenc Bodon, through the FIMI repository",
            _BODON,
            NO_LICENCE,
            page=FIMI,
            file="kosarak.dat.gz",
            items=8_019_015,
            distinct=41_270,
            address=FIMI + "kosarak.dat.gz",
            git_blob="1633c5aa6070d384beab4b3a36e9fb8f173fab84",
            note="verified by the id that git gives to the plain file in four public repositories",
        ),
        Dataset(
            "kosarak-first100k",
            "the first 100,000 sessions of kosarak",
            "Ferenc Bodon, through the FIMI repository",
            _BODON,
            NO_LICENCE,
            page=FIMI,
            file="kosarak-first100k.dat.gz",
            items=801_947,
            distinct=23_496,
            numbers="5daa2c7878d6523c2b6d329c5c263ebdc3f28f8541cfe6be74c2e7e656e5bd95",
            note="made from kosarak: zcat kosarak.dat.gz | head -n 100000 | gzip > kosarak-first100k.dat.gz",
        ),
        Dataset(
            "kosarak-uchoice-5-25",
            "kosarak sessions of at most 5 items that occur 25 times",
            "A. Benson, R. Kumar, A. Tomkins",
            'A. Benson, R. Kumar, A. Tomkins, "A Discrete Choice Model for Subset Selection", WSDM 2018',
            NO_LICENCE,
            page="https://www.cs.cornell.edu/~arb/data/",
            file="kosarak-uchoice-5-25.dat.gz",
            items=1_240_384,
            distinct=2_605,
            numbers="a728b46014882389fd83de05e06e62fc563ce58838aeebbb5a8df649a3ed1f46",
            note="not in the order of kosarak, so it says nothing about change",
        ),
        Dataset(
            "retail",
            "baskets of a Belgian supermarket",
            "Tom Brijs, through the FIMI repository",
            'T. Brijs, G. Swinnen, K. Vanhoof, G. Wets, "Using association rules for product assortment decisions: '
            'a case study", KDD 1999',
            "as is; any use with acknowledgement and a copy of the work to Tom Brijs, as quoted in secondary notes",
            page=FIMI,
            file="retail.dat.gz",
            items=908_576,
            distinct=16_470,
            address=FIMI + "retail.dat.gz",
            numbers="8eebf67a21e008e2c6a0ebe0d8ca44bb7abfd6b22386112ea0a92b4a47067092",
            note="the checksum is of a public copy's numbers; three copies agree, one in other blanks",
        ),
        Dataset(
            "webdocs",
            "words of 1.7 million web pages, about 300 million in all",
            "C. Lucchese, S. Orlando, R. Perego, F. Silvestri, through the FIMI repository",
            'C. Lucchese, S. Orlando, R. Perego, F. Silvestri, "WebDocs: a real-life huge transactional dataset", '
            "FIMI 2004",
            NO_LICENCE,
            page=FIMI,
            file="webdocs.dat.gz",
            items=None,
            distinct=5_267_656,
            address=FIMI + "webdocs.dat.gz",
            note="1.5 GB when unpacked",
        ),
        Dataset(
            "BMS-WebView-2",
            "product pages of an on-line shop, by session",
            "Blue Martini Software, KDD Cup 2000, through SPMF",
            'Z. Zheng, R. Kohavi, L. Mason, "Real world performance of association rule algorithms", KDD 2001',
            "research use with citation, as known; no licence text seen",
            page=SPMF + "index.php?link=datasets.php",
            file="BMS-WebView-2.dat.gz",
            items=358_278,
            distinct=3_340,
            address=SPMF + "datasets/BMS2.txt",
            numbers="4cd78d2d07a0ae3ee4b471b19260c1a2d5252301657d7e9dd33335e4c10f39df",
            note="served with marks of SPMF between the numbers; they are left out here",
        ),
        Dataset(
            "online-retail",
            "invoices of a British on-line shop, 2010 to 2011, in order of time",
            "D. Chen, UCI Machine Learning Repository",
            'D. Chen, "Online Retail", UCI Machine Learning Repository, 2015, doi 10.24432/C5BW33',
            "CC BY 4.0, as known for that entry",
            page="https://archive.ics.uci.edu/dataset/352/online+retail",
            file="online-retail.dat.gz",
            items=520_750,
            distinct=3_941,
            numbers="fc2e5d393f1d39470eea3e28cb879d1cf6db40305cdafb9b3810b934cd11c073",
            note="made from the publisher's table: one invoice per line, in order of time, without cancellations and "
            "quantities of 0 or less, each stock code once an invoice and numbered by first use",
        ),
        Dataset(
            "NASA-Jul95-sessions",
            "pages of a NASA web server in July 1995, by visitor",
            "J. Dumoulin, M. Arlitt, C. Williamson, Internet Traffic Archive",
            'M. Arlitt, C. Williamson, "Web Server Workload Characterization", SIGMETRICS 1996',
            "no analysis beyond general traffic patterns, as the archive asks",
            page="https://ita.ee.lbl.gov/html/contrib/NASA-HTTP.html",
            file="NASA-Jul95-sessions.dat.gz",
            items=569_493,
            distinct=4_718,
            numbers="0cf067bda266144aab3eedb9d675386ca13c8e339bc18f37b81573e850c30dbc",
            note="cut into sessions by others, in an order that is not known",
        ),
        Dataset(
            "BIBLE",
            "words of the Bible as numbers, one sentence per line",
            "P. Fournier-Viger and others, SPMF",
            'P. Fournier-Viger et al., "The SPMF Open-Source Data Mining Library Version 2", PKDD 2016',
            NO_LICENCE,
            page=SPMF + "index.php?link=datasets.php",
            file="BIBLE.dat.gz",
            items=787_066,
            distinct=13_906,
            numbers="8b5d6f8adfe63cf6395b456dc0a6dbad419506b94af162e791d01bd0fba56ece",
            note="the checksum is of a public copy; whether the publisher's file has the same numbers is not known",
        ),
    )
}


def known_dataset(name: str) -> Dataset:
    """The data set with this name, in upper or lower case, or with this file name."""
    for dataset in DATASETS.values():
        if name.lower() in {each.lower() for each in (dataset.name, *dataset.file_names)}:
            return dataset
    raise InvalidField("name", f"must be one of {', '.join(DATASETS)}", name)


def is_known(name: str) -> bool:
    """Whether a text is the name of a data set.

    >>> is_known("retail"), is_known("retail.dat.gz"), is_known("./retail.dat.gz")
    (True, True, False)
    """
    try:
        known_dataset(name)
    except InvalidField:
        return False
    return True


class NoCopy(HgldpError, LookupError):
    """A data set by its name, where the folder has no copy of it."""

    def __init__(self, name: str, folder: Path) -> None:
        super().__init__(f"{folder} has no copy of {name}; fetch it with: hgldp data fetch {name} --data {folder}")


def find_dataset(name: str, folder: Path) -> Path | None:
    """A copy in a folder, by the name of the data set or of the file; None if there is none."""
    names = (name, *known_dataset(name).file_names) if is_known(name) else (name,)
    return next((folder / each for each in names if Path(each).name == each and (folder / each).is_file()), None)
