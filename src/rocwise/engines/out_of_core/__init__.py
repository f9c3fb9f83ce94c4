"""Sources with more rows than fit into memory: sorted runs on disk, summed range by range."""
