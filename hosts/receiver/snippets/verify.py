import hashlib
import hmac
import re
import time


def is_genuine(secret, headers, body):
    """Whether this secret signed the raw body (bytes) in the last five minutes."""
    timestamp = headers.get("X-Service-Timestamp") or ""
    signature = headers.get("X-Service-Signature") or ""
    if not secret or not re.fullmatch("[0-9]{1,15}", timestamp):
        return False
    if abs(time.time() - int(timestamp)) > 300:
        return False
    signed = timestamp.encode() + b"." + body
    expected = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected.encode(), signature.encode(errors="replace"))
