"""The scripts for web pages as the collector serves them."""
