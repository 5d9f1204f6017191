"""What people look at: tables, marked sentences and figures."""
