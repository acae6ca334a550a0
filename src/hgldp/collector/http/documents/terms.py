"""A task's terms as JSON: what may change while it runs, or concerns only this collector."""

from hgldp.collector.http.documents.schema import TEXT, Field, choice, field_of, up_to
from hgldp.collector.views import LONGEST_NAME, MOST_DAYS, MOST_HOURS, MOST_ORIGINS, MOST_QUOTA, RESULTS

NAME = field_of(
    "terms", "name", {"type": "string", "minLength": 1, "maxLength": LONGEST_NAME}, "shown to people", "TEXT", ""
)
READERS = field_of("terms", "results", choice(*RESULTS, default="token"), "who may read the results (token)", "", "")
ORIGINS = Field(
    "origins",
    {"type": "array", "items": TEXT, "maxItems": MOST_ORIGINS},
    "web pages that may read the answer to an upload, like https://example.org (*: any)",
    "ORIGIN",
    if_none="none",
    read=lambda view: list(view.terms.origins),
)
PER_SECOND = field_of(
    "terms", "reports_per_second", up_to(MOST_QUOTA), "most reports per second (0: no limit)", if_none="no limit"
)
PER_DAY = field_of(
    "terms", "reports_per_day", up_to(MOST_QUOTA), "most reports per day in all (0: no limit)", if_none="no limit"
)
KEPT_HOURS = field_of(
    "terms",
    "reports_kept_hours",
    up_to(MOST_HOURS),
    "hours after which only tallies of the reports are kept (168; 0: never)",
    if_none="for ever",
)
KEPT_DAYS = field_of(
    "terms",
    "results_kept_days",
    up_to(MOST_DAYS),
    "days after which results are deleted too (0: never)",
    if_none="for ever",
)

OF_THE_TERMS = (READERS, ORIGINS, PER_SECOND, PER_DAY, KEPT_HOURS, KEPT_DAYS)
