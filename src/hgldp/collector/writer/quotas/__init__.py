"""How many reports a task takes per second and per day, and how the addresses that send them share that."""

from hgldp.collector.writer.quotas.accounts import Account, Accounts
from hgldp.collector.writer.quotas.day import DailyCap, DayShares
from hgldp.collector.writer.quotas.rate import SharedRate
from hgldp.collector.writer.quotas.task_quotas import TaskQuotas, quotas_of

__all__ = ["Account", "Accounts", "DailyCap", "DayShares", "SharedRate", "TaskQuotas", "quotas_of"]
