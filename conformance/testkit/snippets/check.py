"""Reads deliveries from standard input and writes whether the snippet finds each genuine. Headers are text of bytes, as WSGI gives them."""
import base64
import json
import sys
import time

snippet = {}
exec(open(sys.argv[1]).read(), snippet)


def decoded(text):
    return base64.b64decode(text)


def verdict(case):
    time.time = lambda: case["now"]
    headers = {name: decoded(value).decode("latin-1") for name, value in case["headers"].items()}
    return snippet["is_genuine"](case["secret"], headers, decoded(case["body"]))


print(json.dumps([verdict(case) for case in json.load(sys.stdin)]))
