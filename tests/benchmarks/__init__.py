"""The generators and simulations, in a small size."""
