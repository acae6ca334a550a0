"""What is measured: plans on streams, the figures and tables of the paper, and ours."""
