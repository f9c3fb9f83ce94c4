"""Questions about forecasts of a number: REC curves, filters, model trees."""
