"""What `hgldp plan` foretells beside what then happens, on streams and seeds that the plan has not seen."""
