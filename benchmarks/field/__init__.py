"""The field side by side: our rows and other libraries', measured in one run on the same streams."""
