"""REC curves of Kalman filters and of their stackings."""
