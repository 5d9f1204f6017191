"""Where work runs: the same map over batches, on one core or several."""
