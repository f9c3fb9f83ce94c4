"""Areas."""
