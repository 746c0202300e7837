"""The specification's REST API and webhooks in Python's standard library, in memory, and a driver for the conformance suite.

python3 service.py 8765    serves http://127.0.0.1:8765/api/v1 and reads calls of the driver from standard input, until that ends.
python3 service.py 8765 100,200,150,50    also sends webhooks by plain http to this machine (D37), and tries again after so many
milliseconds instead of after a minute, five minutes and so on.
"""
import base64, collections, hashlib, hmac, http.client, ipaddress, json, math, re, secrets, socket, ssl, sys, threading, time, zlib
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, quote, unquote_plus, unquote_to_bytes, urlsplit

BASE, LARGEST, EPOCH = "/api/v1", 2**53 - 1, datetime(1970, 1, 1)
BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
MAC_KEY, LOCK = secrets.token_bytes(32), threading.Lock()
SHOPS, TOKENS, USES = {}, {}, collections.defaultdict(collections.deque)
WAITS, ALLOWED = [60_000, 300_000, 1_800_000, 7_200_000, 21_600_000, 86_400_000], []
if sys.argv[2:]:
    WAITS, ALLOWED = [int(each) for each in sys.argv[2].split(",")], [ipaddress.ip_network("127.0.0.0/8")]


class Refused(Exception):
    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


def text_of(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


# Time is milliseconds since 1970 (D1).
TIME = re.compile(r"(\d{4})(-)?(\d\d)(?(2)-)(\d\d)(?:[Tt](\d\d)(?(2):)(\d\d)(?:(?(2):)(\d\d)(?:\.(\d+))?)?(Z|z|([+ -])(\d\d)(?::?(\d\d))?))?", re.A)


def instant(text):
    """An ISO 8601 date-time with an offset, or a date (D13)."""
    try:
        year, _, month, day, hour, minute, second, decimals, _, sign, hours, minutes = TIME.fullmatch(text).groups("0")
        at = (datetime(*map(int, (year, month, day, hour, minute, second))) - EPOCH) // timedelta(milliseconds=1)
        offset = (int(hours) * 60 + int(minutes)) * (-1 if sign == "-" else 1)
        at += int((decimals + "000")[:3]) - offset * 60_000
        return at if int(hours) < 24 and int(minutes) < 60 and written(at) else None
    except (AttributeError, ValueError, OverflowError):
        return None


def written(at):
    moment = EPOCH + timedelta(milliseconds=at)
    return f"{moment:%m-%dT%H:%M:%S}".join((f"{moment.year:04}-", f".{moment.microsecond // 1000:03}+00:00"))


# Definitions: what can be published, and how a selection is evaluated.
def publishable(definition):
    steps, questions, rules = (definition.get(key) for key in ("steps", "questions", "rules"))
    lists = all(isinstance(value, list) for value in (steps, questions, rules))
    if definition.get("schemaVersion") != 1 or not lists or not steps:
        raise Refused(422, "a definition has schemaVersion 1, steps, questions and rules")
    place = {question["id"]: index for index, question in enumerate(questions)}
    areas = [area["id"] for step in steps for area in step.get("printAreas", [])]
    answers = {question["id"]: [answer["id"] for answer in question.get("answers", [])] for question in questions}
    ids = [*([each["id"] for each in some] for some in (steps, questions, rules)), areas, *answers.values()]
    views = [step["view"] for step in steps]
    wrong = any(len(set(some)) < len(some) for some in ids) or f"{views[0]}_thumb" in views
    for question in questions:
        kind = question.get("type")
        wrong |= kind not in ("single", "multiple", "text", "upload") or (kind in ("single", "multiple")) != bool(answers[question["id"]])
        wrong |= question.get("step") not in ids[0] or question.get("printArea", None) not in (None, *areas)
        wrong |= question.get("min", 0) > question.get("max", math.inf)
    for rule in rules:
        disabled = [each["question"] for each in rule.get("disable", [])]
        changed = [*rule.get("show", []), *rule.get("hide", []), *disabled]
        wrong |= bool(set(rule.get("show", [])) & set(rule.get("hide", []))) or any(each not in place for each in changed)
        named = [*reads(rule["when"]), *((each["question"], each["answers"]) for each in rule.get("disable", []))]
        wrong |= any(not set(chosen) <= set(answers.get(name, ())) or name not in place for name, chosen in named)
        first = min((place.get(name, -1) for name in changed), default=math.inf)
        wrong |= any(place.get(name, 0) >= first for name, _ in reads(rule["when"]))
    if wrong:
        raise Refused(422, "the definition is inconsistent")


def reads(when):
    """The questions that a condition reads, with the answers that it names."""
    inner = when.get("all") or when.get("any") or ([when["not"]] if "not" in when else [])
    own = [(when["question"], [when["is"]] if "is" in when else [])] if "question" in when else []
    return own + [each for part in inner for each in reads(part)]


def holds(when, values):
    if "question" in when:
        value = values.get(when["question"])
        if "answered" in when:
            return (value is not None) == when["answered"]
        return value == when["is"] or isinstance(value, list) and when["is"] in value
    if "not" in when:
        return not holds(when["not"], values)
    return (all if "all" in when else any)(holds(part, values) for part in when.get("all", when.get("any")))


def is_kind(question, value):
    kind = question["type"]
    if kind == "text":
        return isinstance(value, dict) and isinstance(value.get("text"), str)
    if kind == "multiple" or kind == "upload" and question.get("max", 1) > 1:
        return isinstance(value, list) and all(isinstance(each, str) for each in value)
    return isinstance(value, str)


def is_allowed(question, value, ids):
    least, most = question.get("min", 0), question.get("max", 1 if question["type"] == "upload" else len(ids))
    if question["type"] == "text":
        text = value["text"]
        return len(text) <= question.get("maxLength", 255) and not re.search(r"[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f]", text)
    many = value if isinstance(value, list) else [value]
    known = question["type"] == "upload" or set(many) <= ids
    return known and len(set(many)) == len(many) and (not isinstance(value, list) or least <= len(many) <= most)


def evaluate(definition, selection, base, shop):
    problems = set(selection) - {question["id"] for question in definition["questions"]}
    values, summary, production, lines = {}, [], [], []
    for question in definition["questions"]:
        name, value, answers = question["id"], selection.get(question["id"]), question.get("answers", [])
        rules = [rule for rule in definition["rules"] if holds(rule["when"], values)]
        visible = not question.get("hidden", False)
        for rule in rules:
            visible = name in rule.get("show", []) or visible and name not in rule.get("hide", [])
        if name in selection and not is_kind(question, value):
            problems.add(name)
            continue
        empty = value is None or value == [] or isinstance(value, dict) and not value["text"].strip()
        if not visible or empty:
            if visible and question.get("required", False):
                problems.add(name)
            continue
        off = {one for rule in rules for each in rule.get("disable", []) if each["question"] == name for one in each["answers"]}
        if not is_allowed(question, value, {answer["id"] for answer in answers} - off):
            problems.add(name)
            continue
        values[name] = value
        many = value if isinstance(value, list) else [value]
        chosen = [answer for answer in answers if answer["id"] in many]
        shown = [answer.get("orderValue", answer["title"]) for answer in chosen]
        entry = {"key": question.get("productionKey", name)}
        if question["type"] == "single":
            entry |= {"value": chosen[0]["productionCode"], "ref": {"questionId": name, "answerId": value}}
        elif question["type"] == "multiple":
            codes, ids = [answer["productionCode"] for answer in chosen], [answer["id"] for answer in chosen]
            entry |= {"values": codes, "ref": {"questionId": name, "answerIds": ids}}
        else:
            shown = [value["text"]] if question["type"] == "text" else many
            entry |= {"values": value} if isinstance(value, list) else {"value": shown[0]}
        summary.append({"key": question.get("orderKey", question["title"]), "value": shown if isinstance(value, list) else shown[0]})
        production.append(entry)
        paid = chosen if answers else [{"id": question["type"], "price": question.get("price", 0)}]
        lines += [{"q": name, "a": each["id"], "amount": each.get("price", 0), "variantId": each.get("variantId")}
                  for each in paid if each.get("price", 0) != 0 or each.get("variantId") is not None]
    if problems:
        raise Refused(422, f"the selection is not allowed: {', '.join(sorted(problems))}")
    total, step = base + sum(line["amount"] for line in lines), shop["roundingStep"]
    rounded = max(0, (2 * total + step) // (2 * step) * step)
    if max(abs(total), rounded) > LARGEST:
        raise Refused(422, "the price is too large")
    price = {"base": base, "lines": lines, "rounding": rounded - total, "total": rounded, "currency": shop["currency"]}
    return {"summary": summary, "productionData": production, "price": price}


# The driver: what changes the service.
def put_shop(shop, call):
    empty = {"id": call["shop"], "customizers": {}, "designs": {}, "orders": {}, "cancelled_early": {}, "endpoints": {}, "events": []}
    SHOPS[call["shop"]] = {**(shop or empty), "plan": "pro", "roundingStep": 1, **call["input"]}
    for endpoint in SHOPS[call["shop"]]["endpoints"].values():
        endpoint["wake"].notify()


def put_customizer(shop, call):
    kept, fields = shop["customizers"].get(call["id"], {"status": "draft", "version": None, "definition": None}), call["input"]
    shop["customizers"][call["id"]] = {
        "id": call["id"], "title": fields["title"], "status": kept["status"], "platformProductId": fields["platformProductId"],
        "version": kept["version"], "assetBase": fields["assetBase"], "definition": kept["definition"]}


def exact(value):
    """Refuses numbers that programs which read doubles could not give back (D44a)."""
    if isinstance(value, (dict, list)):
        for part in value.values() if isinstance(value, dict) else value:
            exact(part)
    elif isinstance(value, (int, float)) and not -LARGEST <= value <= LARGEST:
        raise Refused(422, f"{value} is beyond the integers that doubles keep")


def publish(shop, call):
    customizer = shop["customizers"].get(call["id"]) or not_found("customizer")
    exact(call["definition"])
    publishable(call["definition"])
    customizer.update(definition=call["definition"], version=(customizer["version"] or 0) + 1, status="published")


def not_found(what):
    raise Refused(404, f"there is no such {what}")


def put_design(shop, call):
    name, fields = call["id"], call["input"]
    kept = shop["designs"].get(name)
    if kept and kept["status"] != "draft":
        raise Refused(409, "the design is frozen")
    customizer = shop["customizers"].get(fields["customizerId"]) or not_found("customizer")
    if customizer["version"] is None:
        raise Refused(409, "the customizer was never published")
    exact(fields["selection"])
    evaluated = evaluate(customizer["definition"], fields["selection"], fields["basePrice"], shop)
    views = list(dict.fromkeys(step["view"] for step in customizer["definition"]["steps"]))
    url = f"{shop['imageBase'].rstrip('/')}/designs/{quote(name, safe='')}"
    images, given = {view: f"{url}/{quote(view, safe='')}.png" for view in views}, kept["images"] if kept else {}
    same = kept and next(iter(given)) == views[0]
    created = fields.get("createdAt")
    shop["designs"][name] = {
        "id": name, "status": "draft", "customizer": {key: customizer[key] for key in ("id", "title", "version")},
        "order": None, "selection": fields["selection"], **evaluated,
        "images": {view: given.get(view, image) for view, image in images.items()},
        "thumbnail": kept["thumbnail"] if same else f"{url}/{quote(views[0], safe='')}_thumb.png",
        "createdAt": written(instant(created) if created else int(time.time() * 1000)) if created or not kept else kept["createdAt"],
        "orderedAt": None}
    if not kept:
        happened(shop, "design.created", {"design": shop["designs"][name]})


def put_order(shop, call):
    fields = call["input"]
    order, at = shop["orders"].get(call["id"]), written(instant(fields["orderedAt"]))
    lines = {line["designId"]: line["lineItemId"] for line in fields["lines"]}
    if not lines:
        return
    if len(lines) < len(fields["lines"]):
        raise Refused(422, "a design is named twice")
    if len(set(lines.values())) < len(lines):
        raise Refused(422, "a line has two designs")
    if order and (order["name"], order["orderedAt"]) != (fields["name"], at):
        raise Refused(409, "the order has another name or time")
    currency = order["currency"] if order else shop["currency"]
    if any(name not in shop["designs"] for name in lines):
        not_found("design")
    added = [shop["designs"][name] for name in lines if not order or shop["designs"][name] not in order["designs"]]
    kept = [shop["designs"][name] for name in lines if order and shop["designs"][name] in order["designs"]]
    if any(design["order"]["lineItemId"] != lines[design["id"]] for design in kept):
        raise Refused(409, "a design is linked to another line item")
    taken = {design["order"]["lineItemId"] for design in (order["designs"] if order else [])}
    if any(lines[design["id"]] in taken for design in added):
        raise Refused(422, "a line has another design")
    if any(design["status"] != "draft" for design in added) or added and order and order["status"] == "cancelled":
        raise Refused(409, "a design or the order can no longer be ordered")
    if any(design["price"]["currency"] != currency for design in added):
        raise Refused(409, "a design is in another currency")
    designs = (order["designs"] if order else []) + added
    total = sum(design["price"]["total"] for design in designs)
    if total > LARGEST:
        raise Refused(422, "the total is too large")
    for design in added:
        link = {"id": call["id"], "name": fields["name"], "lineItemId": lines[design["id"]]}
        design.update(status="ordered", order=link, orderedAt=at)
    if added:
        early = shop["cancelled_early"].pop(call["id"], 0) > time.time()
        shop["orders"][call["id"]] = {
            "id": call["id"], "name": fields["name"], "status": "ordered", "currency": currency, "total": total,
            "orderedAt": at, "designs": designs}
        for design in added:
            happened(shop, "design.ordered", {"design": design})
        if early:
            cancel_order(shop, call)


def cancel_order(shop, call):
    order = shop["orders"].get(call["id"])
    if not order:  # It may still come: kept for a day.
        shop["cancelled_early"][call["id"]] = time.time() + 86_400
        return
    if order["status"] == "ordered":
        for each in (order, *order["designs"]):
            each["status"] = "cancelled"
        happened(shop, "order.cancelled", {"order": order})


def base62(number, length):
    return "".join(BASE62[number // 62**index % 62] for index in reversed(range(length)))


def require_plan(shop):
    if shop["plan"] == "free":
        raise Refused(409, "the plan does not include this")


def create_token(shop, call):
    require_plan(shop)
    if sum(1 for owner in TOKENS.values() if owner == call["shop"]) >= 100:
        raise Refused(409, "the shop has its 100 tokens already")
    random = base62(int.from_bytes(secrets.token_bytes(32), "big"), 43)
    text = f"cmz_{random}{base62(zlib.crc32(random.encode()), 6)}"
    digest = hashlib.sha256(text.encode()).hexdigest()
    TOKENS[digest] = call["shop"]
    return {"id": digest, "token": text}


def delete_token(_, call):
    TOKENS.pop(call["id"], None)


RESERVED = re.compile(r"(^|\.)(localhost|local|internal|home\.arpa|lan|test|invalid|example|onion|arpa)$")


# Refused networks of each version of IP (D35). Of IPv6, only 2000::/3 belongs to the public internet.
REFUSED = [
    ipaddress.ip_network(network)
    for network in """
    0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24
    192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15
    198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4
    2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3ffe::/16 3fff::/20
    """.split()
]
GLOBAL_IPV6 = ipaddress.ip_network("2000::/3")
ISATAP = [bytes.fromhex("00005efe"), bytes.fromhex("02005efe")]


def is_public_address(address):
    if address.version == 6 and address.ipv4_mapped is not None:
        return is_public_address(address.ipv4_mapped)
    if address.version == 6 and (address not in GLOBAL_IPV6 or address.packed[8:12] in ISATAP):
        return False
    return not any(address in network for network in REFUSED)


def approved(url):
    """The addresses of a URL's host, if all of them are public or allowed (D34 to D37)."""
    parts = urlsplit(url)
    host = (parts.hostname or "").rstrip(".")
    if parts.scheme not in ("https", *(["http"] if ALLOWED else [])) or "@" in parts.netloc or "#" in url or len(url) > 2048:
        raise ValueError("the URL must be https, without user and fragment")
    try:
        found = [ipaddress.ip_address(host)]
    except ValueError:
        if not re.fullmatch(r"[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*", host) or RESERVED.search(host):
            raise
        found = [ipaddress.ip_address(answer[4][0]) for answer in socket.getaddrinfo(host, 443)]
    if not all(is_public_address(one) or any(one in network for network in ALLOWED) for one in found):
        raise ValueError("the host must be public")
    return found


def create_endpoint(shop, call):
    kinds = call["input"].get("events", ["design.ordered", "order.cancelled"])
    require_plan(shop)
    if not kinds or not set(kinds) <= {"design.ordered", "order.cancelled", "design.created"}:
        raise Refused(400, "these are no kinds of events")
    try:
        approved(call["input"]["url"])
    except (ValueError, OSError) as error:
        raise Refused(422, str(error))
    if len(shop["endpoints"]) >= 5:
        raise Refused(409, "a shop has at most 5 endpoints")
    endpoint = {"id": f"whe_{secrets.token_hex(8)}", "secret": f"whsec_{base64.b64encode(secrets.token_bytes(32)).decode()}"}
    shop["endpoints"][endpoint["id"]] = kept = {
        **endpoint, "shop": shop["id"], "url": call["input"]["url"], "kinds": kinds, "isOn": True, "failures": 0, "missed": 0,
        "log": [], "succeeded": set(), "wake": threading.Condition(LOCK)}
    threading.Thread(target=deliver, args=(kept,), daemon=True).start()
    return endpoint


# Webhooks. An event has the body that every delivery of it sends; a delivery is an event on its way to one endpoint.
def event_of(shop, kind, data, is_test=False):
    event = {"id": f"evt_{secrets.token_hex(12)}", "event": kind, "at": int(time.time() * 1000), "test": is_test}
    envelope = {
        "id": event["id"], "event": kind, "apiVersion": "2026-10", "createdAt": written(event["at"]), "shop": shop["domain"],
        "data": data, "test": is_test}
    return {**event, "body": text_of(envelope).encode()}


def happened(shop, kind, data):
    event = event_of(shop, kind, data)
    shop["events"].append(event)
    for endpoint in shop["endpoints"].values():
        if kind in endpoint["kinds"] and shop["plan"] != "free":
            if endpoint["isOn"]:
                enqueue(endpoint, event)
            else:
                endpoint["missed"] += 1


def enqueue(endpoint, event):
    delivery = {"id": f"dlv_{secrets.token_hex(12)}", "event": event, "status": "pending", "attempts": [], "due": time.monotonic()}
    endpoint["log"].append(delivery)
    endpoint["wake"].notify()
    return {"id": delivery["id"]}


def next_delivery(endpoint):
    """Waits for what is due. Only tests are sent to an endpoint that is off (D28, D30)."""
    while True:
        is_held = SHOPS[endpoint["shop"]]["plan"] == "free"
        waiting = [
            delivery for delivery in endpoint["log"]
            if delivery["status"] == "pending" and not is_held and (endpoint["isOn"] or delivery["event"]["test"])]
        first = min(waiting, key=lambda delivery: delivery["due"], default=None)
        if first and first["due"] <= time.monotonic():
            return first
        endpoint["wake"].wait(first["due"] - time.monotonic() if first else None)


def deliver(endpoint):
    """The thread of an endpoint: one that hangs holds up no other (D45)."""
    while True:
        with LOCK:
            delivery = next_delivery(endpoint)
        began = time.monotonic()
        status, start = attempt(endpoint, delivery, began)
        with LOCK:
            took = round((time.monotonic() - began) * 1000)
            delivery["attempts"].append({"statusCode": status, "durationMs": took, "responseStart": start})
            settle(endpoint, delivery, status is not None and 200 <= status < 300)


def attempt(endpoint, delivery, began):
    """The status and the start of the response, or nothing if there was none within 5 seconds (D26)."""
    event, url, connection = delivery["event"], urlsplit(endpoint["url"]), None
    timestamp, status, start = str(int(time.time())), None, ""
    signature = hmac.new(endpoint["secret"].encode(), f"{timestamp}.".encode() + event["body"], hashlib.sha256).hexdigest()
    headers = {
        "Host": url.netloc, "Content-Type": "application/json", "User-Agent": "Designs-Webhooks/1.0",
        "X-Service-Event": event["event"], "X-Service-Delivery": delivery["id"], "X-Service-Timestamp": timestamp,
        "X-Service-Signature": signature}
    try:
        address, port = str(approved(endpoint["url"])[0]), url.port or (443 if url.scheme == "https" else 80)
        connection = http.client.HTTPConnection(address, port)
        connection.sock = socket.create_connection((address, port), timeout=3)
        if url.scheme == "https":
            connection.sock = ssl.create_default_context().wrap_socket(connection.sock, server_hostname=url.hostname)
        # A receiver that sends a byte now and then never meets the timeout of a socket.
        sock = connection.sock
        end = threading.Timer(5 - (time.monotonic() - began), lambda: sock.shutdown(socket.SHUT_RDWR))
        end.start()
        sock.settimeout(5)
        try:
            connection.request("POST", f"{url.path or '/'}{'?' if url.query else ''}{url.query}", event["body"], headers)
            response = connection.getresponse()
            status = response.status
            start = response.read(1024).decode(errors="replace")
        finally:
            end.cancel()
    except (OSError, ValueError, http.client.HTTPException):
        pass  # The status line decides (D90), if there was one.
    finally:
        if connection:
            connection.close()
    return status, start


def settle(endpoint, delivery, has_succeeded):
    event, attempts = delivery["event"], len(delivery["attempts"])
    if has_succeeded:
        delivery["status"] = "succeeded"
        endpoint["succeeded"].add(event["id"])
    elif event["test"] or attempts > len(WAITS):
        delivery["status"] = "failed"
    else:
        delivery["due"] = time.monotonic() + WAITS[attempts - 1] / 1000
    if not event["test"]:  # D27: twenty failures in a row.
        endpoint["failures"] = 0 if has_succeeded else endpoint["failures"] + 1
        if endpoint["failures"] == 20:
            turn_off(endpoint)
    finished = [each for each in endpoint["log"] if each["status"] != "pending"]
    for old in finished[:-50]:
        endpoint["log"].remove(old)


def turn_off(endpoint):
    if endpoint["isOn"]:
        endpoint.update(isOn=False, missed=0)


def endpoint_of(shop, call):
    return shop["endpoints"].get(call["endpoint"]) or not_found("endpoint")


def enable(shop, call):
    endpoint = endpoint_of(shop, call)
    missed = 0 if endpoint["isOn"] else endpoint["missed"]
    if not endpoint["isOn"]:
        endpoint.update(isOn=True, failures=0)
        endpoint["wake"].notify()
    return {"missed": missed}


def send_test(shop, call):
    """The newest ordered design, or a ping (D30)."""
    ordered = [design for design in shop["designs"].values() if design["status"] == "ordered"]
    newest = max(ordered, key=lambda design: instant(design["orderedAt"]), default=None)
    kind, data = ("design.ordered", {"design": newest}) if newest else ("ping", {"message": "This is a test."})
    return enqueue(endpoint_of(shop, call), event_of(shop, kind, data, is_test=True))


def deliveries(shop, call):
    return [
        {"id": each["id"], "eventId": each["event"]["id"], "status": each["status"], "attempts": each["attempts"]}
        for each in reversed(endpoint_of(shop, call)["log"])]


def redeliver(shop, call):
    endpoint = endpoint_of(shop, call)
    found = [each for each in endpoint["log"] if each["id"] == call["delivery"]]
    return enqueue(endpoint, found[0]["event"]) if found else not_found("delivery")


def recover(shop, call):
    """Delivers the events since a time that the endpoint has not received and does not wait for (D28)."""
    endpoint, since = endpoint_of(shop, call), instant(call["since"])
    pending = [each["event"]["id"] for each in endpoint["log"] if each["status"] == "pending"]
    missed = [
        event for event in shop["events"]
        if event["event"] in endpoint["kinds"] and event["at"] >= since and event["id"] not in (*endpoint["succeeded"], *pending)]
    for event in missed:
        enqueue(endpoint, event)
    return {"deliveries": len(missed)}


CALLS = {"putShop": put_shop, "putCustomizer": put_customizer, "publish": publish, "putDesign": put_design, "putOrder": put_order,
         "cancelOrder": cancel_order, "createToken": create_token, "deleteToken": delete_token, "createEndpoint": create_endpoint,
         "enable": enable, "pause": lambda shop, call: turn_off(endpoint_of(shop, call)), "test": send_test,
         "deliveries": deliveries, "redeliver": redeliver, "recover": recover}


def done(name, given):
    shop = SHOPS.get(given["shop"])
    if name not in CALLS:
        return {"unsupported": "this service has no such thing"}
    if shop is None and name != "putShop":
        not_found("shop")
    return {"ok": CALLS[name](shop, given)}


def drive():
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            with LOCK:
                answer = done(asked["call"], asked["given"])
        except Refused as refused:
            answer = {"refused": str(refused), "status": refused.status}
        except Exception as error:
            answer = {"error": repr(error)}
        print(text_of({"id": asked["id"], **answer}), flush=True)


# The REST API: what is read.
def parameters(query):
    """`limit`, `cursor` and `orderedAfter`, each at most once and not empty (D12)."""
    asked = [pair for pair in parse_qsl(query, keep_blank_values=True) if pair[0] in ("limit", "cursor", "orderedAfter")]
    for name, value in asked:
        if value == "" or sum(other == name for other, _ in asked) > 1:
            raise Refused(400, f"{name} must be given once and not be empty")
    return dict(asked)


def sealed(shop, payload):
    mac = hmac.new(MAC_KEY, f"{shop['id']} {payload}".encode(), hashlib.sha256).hexdigest()
    return f"1.{payload}.{mac}"


def orders(shop, query):
    asked = parameters(query)
    limit, cursor, since = asked.get("limit", "25"), asked.get("cursor"), asked.get("orderedAfter")
    if not re.fullmatch(r"[1-9][0-9]{0,2}", limit) or int(limit) > 100:
        raise Refused(400, "limit must be an integer from 1 to 100")
    after = None if since is None else instant(since)
    if since is not None and after is None:
        raise Refused(400, "orderedAfter must be an ISO 8601 date-time with an offset, or a date")
    position = None
    if cursor is not None:
        payload = cursor.split(".")[1] if cursor.count(".") == 2 else ""
        if not hmac.compare_digest(cursor.encode(), sealed(shop, payload).encode()):
            raise Refused(400, "cursor must be the nextCursor of the page before")
        *position, kept = json.loads(base64.urlsafe_b64decode(payload + "=="))
        if since is not None and after != kept:
            raise Refused(400, "cursor belongs to another orderedAfter")
        after = kept
    key = lambda order: [instant(order["orderedAt"]), order["id"]]
    matching = sorted((order for order in shop["orders"].values() if after is None or key(order)[0] >= after), key=key, reverse=True)
    rest = [order for order in matching if position is None or key(order) < position]
    page, size = [], 0
    for order in rest[:int(limit)]:
        text = text_of(order)
        size += len(text.encode()) + 1
        if page and size > 8 * 1024 * 1024 - 1024:
            break
        page.append(text)
    following, link = None, {}
    if len(page) < len(rest):
        payload = base64.urlsafe_b64encode(text_of([*key(rest[len(page) - 1]), after]).encode()).decode().rstrip("=")
        following = sealed(shop, payload)
        others = [part for part in query.split("&") if part and unquote_plus(part.partition("=")[0]) != "cursor"]
        link = {"Link": f'<{BASE}/orders?{"&".join([*others, f"cursor={following}"])}>; rel="next"'}
    pagination = text_of({"total": len(matching), "limit": int(limit), "nextCursor": following})
    return f'{{"data":[{",".join(page)}],"pagination":{pagination}}}', link


def route(path):
    """Parses a path into a kind and an id, or nothing (D15)."""
    try:
        segments = [unquote_to_bytes(part).decode() if not re.search("%(?![0-9A-Fa-f]{2})", part) else None for part in path.split("/")]
    except UnicodeDecodeError:
        return None
    if segments == ["", "orders"]:
        return "orders", None
    known = len(segments) == 3 and segments[1] in ("orders", "designs", "customizers") and segments[2]
    return (segments[1], segments[2]) if known else None


def standing(token, now):
    uses = USES[token]
    while uses and uses[0] <= now - 60:
        uses.popleft()
    return 120 - len(uses), max(0, math.ceil(uses[0] + 60 - now)) if uses else 0


def answer(method, target, headers):
    """A status, headers and a body, in the order of checks of D11."""
    error = lambda status, message, **more: (status, more, text_of({"message": message}))
    scheme, _, token = headers.get("Authorization", "").partition(" ")
    digest = hashlib.sha256(token.strip().encode()).hexdigest()
    if scheme.lower() != "bearer" or digest not in TOKENS:
        return error(401, "A token is needed: Authorization: Bearer …", **{"WWW-Authenticate": "Bearer"})
    shop, now = SHOPS[TOKENS[digest]], time.monotonic()
    left, reset = standing(digest, now)
    accepted = shop["plan"] != "free" and left > 0
    if accepted:
        USES[digest].append(now)
        left, reset = standing(digest, now)
    more = {"RateLimit-Policy": '"default";q=120;w=60', "RateLimit": f'"default";r={left};t={reset}'}
    if shop["plan"] == "free":
        return error(403, "The REST API is part of the plans Pro and Plus", **more)
    if not accepted:
        return error(429, "Too many requests", **more, **{"Retry-After": str(max(1, reset))})
    path, _, query = target.partition("?")
    found = route(path[len(BASE):]) if path.startswith(f"{BASE}/") else None
    if found is None:
        return error(404, "There is nothing at this address", **more)
    if method not in ("GET", "HEAD"):
        return error(405, "Only GET and HEAD", **more, Allow="GET, HEAD")
    if headers.get("X-Api-Version", "2026-10") != "2026-10":
        return error(400, "X-Api-Version must be 2026-10", **more)
    kind, name = found
    if kind == "orders" and name is None:
        try:
            body, link = orders(shop, query)
        except Refused as problem:
            return error(400, str(problem), **more)
        more |= link
    else:
        number = int(name) if kind == "customizers" and re.fullmatch("[1-9][0-9]{0,15}", name) else name
        if number not in shop[kind]:
            return error(404, "There is no such object", **more)
        body = text_of(shop[kind][number])
    tag = f'"{hashlib.sha256(body.encode()).hexdigest()[:32]}"'
    more |= {"ETag": tag, "Cache-Control": "private, no-cache", "Vary": "Authorization, Accept-Encoding"}
    wanted = [each.strip().removeprefix("W/") for each in headers.get("If-None-Match", "").split(",")]
    return (304, more, "") if tag in wanted or wanted == ["*"] else (200, more, body)


class Handler(BaseHTTPRequestHandler):
    protocol_version, disable_nagle_algorithm, wbufsize = "HTTP/1.1", True, -1

    def __getattr__(self, name):
        if name.startswith("do_"):
            return self.respond
        raise AttributeError(name)

    def respond(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        with LOCK:
            status, headers, body = answer(self.command, self.path, self.headers)
        data = body.encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", "X-Api-Version": "2026-10", **headers}.items():
            self.send_header(name, value)
        if status != 304:
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(b"" if self.command == "HEAD" else data)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    drive()
