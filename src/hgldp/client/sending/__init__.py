"""The way of an upload to the collector: uploads on the disk, when they leave, and the connection that they take."""
