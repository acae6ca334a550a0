"""What operators see of the service: log lines, metrics, and whether the disk works."""
