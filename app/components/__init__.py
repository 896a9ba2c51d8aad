"""Markup that several views use: menus, export formats, boxes.

Pure: never a view, and never anything that needs a browser.
"""
