"""Deng, Bourke, Scott and Vinodchandran: class weights via ROC surfaces."""
