"""The pages, a file for each part of somebody's way through the site."""
