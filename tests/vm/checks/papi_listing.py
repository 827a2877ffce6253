# SPDX-License-Identifier: BSD-3-Clause
"""What papi_native_avail has printed: lines that were folded in boxes, put together again."""

import re


def description(listing, event):
    """An event's part, on one line; "": it is not there"""
    found = re.search(r"\| precis:::%s .*?(?=\n-{20}|\n={20})" % event, listing, re.S)
    return re.sub(r" *\|\n\| {0,12}", " ", found[0]) if found else ""


def has(listing, event, words):
    """Do these words stand in it? Where words were folded is not known."""
    return words.replace(" ", "") in description(listing, event).replace(" ", "")
