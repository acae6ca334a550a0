"""The JSON documents of the HTTP API, each described once.

From these tables come the parser of requests (`new_task`), the answers, the OpenAPI document (`openapi`), the options
of `hgldp task create` (`task_options`), and what people read about a field (`schema.Field`). They import the
standard library, the model and the schemes alone, so that the command's help stays fast.
"""
