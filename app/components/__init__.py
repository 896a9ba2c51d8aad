"""Markup that several views use: menus, text boxes, conventions, export formats.

Pure: never imports a view or anything that needs a browser.
"""
