"""The service: reports in over HTTP, durable before they are acknowledged; bulletins and estimates out."""
