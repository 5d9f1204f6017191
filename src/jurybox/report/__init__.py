"""What people look at: tables now; figures and the HTML report build on the same results."""
