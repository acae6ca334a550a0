"""The one writer: uploads are checked, queued, made durable in batches, and only then counted."""

from hgldp.collector.writer.pending import PendingUpload
from hgldp.collector.writer.queue import DELETE, Command, Intake
from hgldp.collector.writer.thread import Callback, WriterThread

__all__ = ["DELETE", "Callback", "Command", "Intake", "PendingUpload", "WriterThread"]
