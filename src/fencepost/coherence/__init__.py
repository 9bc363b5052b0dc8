"""The replay: is every access ordered, available, visible, and no write lost? (design 2, 4, 5)"""
