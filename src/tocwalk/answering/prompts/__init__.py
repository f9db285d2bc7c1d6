"""What the answering model is asked, one file per step. Whatever changes a text changes its version."""
