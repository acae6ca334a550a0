"""The rights of a collector to the tables of the shared store: those that it uses, and no others.

Only the owner of the tables changes admins. To the admin log, collectors can only add.
"""

RIGHTS: dict[str, tuple[str, ...]] = {
    "service": ("SELECT", "UPDATE (value)"),
    "tasks": ("SELECT", "INSERT", "DELETE"),
    "log": ("SELECT", "INSERT", "DELETE"),
    "bulletins": ("SELECT", "INSERT", "DELETE"),
    "results": ("SELECT", "INSERT", "DELETE"),
    "kept": ("SELECT", "INSERT", "DELETE"),
    "snapshots": ("SELECT", "INSERT", "DELETE"),
    "pruned": ("SELECT", "INSERT", "DELETE"),
    "milestones": ("SELECT", "INSERT", "DELETE"),
    "kept_from": ("SELECT", "INSERT", "DELETE"),
    "warmups": ("SELECT", "INSERT", "DELETE"),
    "takeovers": ("SELECT", "INSERT", "DELETE"),
    "days": ("SELECT", "INSERT", "UPDATE (reports)", "DELETE"),
    "inbox": ("SELECT", "INSERT (task, epoch, bulletin, reports, ids, counts, symbols)", "DELETE"),
    "upload_ids": ("SELECT", "INSERT", "DELETE"),
    "gates": ("SELECT", "INSERT", "UPDATE (open_from)", "DELETE"),
    "requests": ("SELECT", "INSERT (task, kind)", "DELETE"),
    "sealer": ("SELECT", "UPDATE (fence, holder, until, position, batch, changes, era)"),
    "workers": ("SELECT", "INSERT", "UPDATE (seen)", "DELETE"),
    "ended_sessions": ("SELECT", "INSERT", "DELETE"),
    "admins": ("SELECT",),
    "deeds": ("INSERT (time, who, what, task, detail)",),
}
NUMBERS = "task_numbers"
# A role that sets one of these back makes the next insert fail. Collectors only take the next of NUMBERS.
SEQUENCES = (NUMBERS, "inbox_number_seq", "requests_number_seq", "deeds_number_seq")
# Of the tables with row security: the policies by which collectors change rows. They read all.
POLICIES = {"service": ("taking_over",), "log": ("adding", "forgetting")}
