"""Blanco-Vega, Ferri, Hernández-Orallo and Ramírez-Quintana: thresholds without data."""
