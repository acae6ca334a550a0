"""What a task will find, before it is launched: the real scheme on streams that are drawn from a shape."""
