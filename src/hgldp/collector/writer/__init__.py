"""The one writer: uploads are checked, queued, made durable in batches, and only then counted."""

from hgldp.collector.writer.command import DELETE, Command, new_task
from hgldp.collector.writer.pending import PendingUpload
from hgldp.collector.writer.publishing import Callback
from hgldp.collector.writer.queue import Backlog, Intake
from hgldp.collector.writer.thread import WriterThread

__all__ = ["DELETE", "Backlog", "Callback", "Command", "Intake", "PendingUpload", "WriterThread", "new_task"]
