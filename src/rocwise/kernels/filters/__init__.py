"""Likelihoods by the Kalman filter: `compiled` calls the loops, `plain` is their twin."""
