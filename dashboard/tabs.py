"""The lists of the failures page to choose from."""

from difflib import get_close_matches
from typing import Final, NamedTuple

from dashboard import triage, wording
from dashboard.casebook import Failures
from dashboard.link import FailuresLink

MOST_OFFERS: Final = 6
_FILTERS: Final = (
    *("criterion", "category", "item", "tag", "variant", "outcome", "fault", "code", "error_code"),
    *("mark", "q"),
)


class TabLine(NamedTuple):
    """One list to choose, with how much it holds."""

    title: str
    number: int
    href: str
    current: bool


def lines(found: triage.Lists, link: FailuresLink) -> list[TabLine]:
    """Return the lists to choose from."""
    return [
        TabLine(
            title,
            triage.of(found, tab).height,
            link.but(tab=tab, page=1).href,
            tab == link.tab,
        )
        for tab, title in triage.TITLES.items()
    ]


def offers(found: Failures, link: FailuresLink) -> list[TabLine]:
    """Return the nearest lists that hold something, for an address whose list is empty."""
    near = [link.but(criterion=name, category=None) for name in _alike(found, link.criterion)]
    near += [link.but(**{name: None}) for name in _FILTERS if getattr(link, name) is not None]
    near.append(FailuresLink(run=link.run, suite=link.suite, subject=link.subject, tab=link.tab))
    made = [_offer(found, one.but(page=1, mark=None), link) for one in dict.fromkeys(near)]
    return [one for one in made if one.number][:MOST_OFFERS]


def _alike(found: Failures, criterion: str | None) -> list[str]:
    names = found.failures["criterion"].unique().to_list() if criterion else []
    return get_close_matches(criterion or "", names, n=3, cutoff=0.5)


def _offer(found: Failures, near: FailuresLink, link: FailuresLink) -> TabLine:
    number = triage.of(triage.lists(found, near), near.tab).height
    if near.criterion and near.criterion != link.criterion:
        return TabLine(near.criterion, number, near.href, current=False)
    dropped = [name for name in _FILTERS if getattr(link, name) and not getattr(near, name)]
    words = ", ".join("text" if name == "q" else wording.spoken(name) for name in dropped)
    return TabLine(f"without {words}", number, near.href, current=False)
