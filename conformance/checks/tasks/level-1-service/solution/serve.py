"""Serves the data in data/ by the REST API of designwire."""
import hashlib, json, sys
from http.server import ThreadingHTTPServer

import service


def read(name):
    with open(f"data/{name}.json", encoding="utf-8") as file:
        return json.load(file)


def by_id(objects):
    return {each["id"]: each for each in objects}


for shop in ("acme", "globex"):
    data = read(shop)
    service.SHOPS[shop] = {"id": shop, "plan": "pro", **{kind: by_id(data[kind]) for kind in data}}
for token, shop in read("tokens").items():
    service.TOKENS[hashlib.sha256(token.encode()).hexdigest()] = shop

ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), service.Handler).serve_forever()
