#!/usr/bin/python3
"""A receiver of webhooks, written from the contract's section "Events" alone.

Needs nothing beyond Debian's python3. WEBHOOK_SECRET is the signing secret; the file
that WORLD names holds the time and the answer, so that a test can have its own:
{"now": <unix seconds>, "status": <answer to a good delivery>}. It prints its port,
then one line of JSON for each request: what it found, or what is wrong.
"""
import datetime
import hashlib
import hmac
import http.server
import json
import os
import re

SECRET = os.environ["WEBHOOK_SECRET"].encode()
TOLERANCE = 300


class Refused(Exception):
    """The delivery is not what the contract says; the message is one word."""


def require(holds, word):
    if not holds:
        raise Refused(word)


def checked(headers, body, now):
    """The event of a delivery, or Refused."""
    require(headers.get("content-type") == "application/json", "content-type")
    kind = headers.get("x-svc-event") or ""
    delivery = headers.get("x-svc-delivery") or ""
    timestamp = headers.get("x-svc-timestamp") or ""
    require(re.fullmatch(r"dlv_\w+", delivery), "delivery")
    require(re.fullmatch(r"[0-9]+", timestamp), "timestamp")

    parts = [part.split("=", 1) for part in (headers.get("x-svc-signature") or "").split(",")]
    require(parts[0] == ["t", timestamp], "signature-header")
    given = [part[1] for part in parts[1:] if part[0] == "v1"]
    expected = hmac.new(SECRET, timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    # A list, not a generator: every one is compared, whichever matches.
    require(any([hmac.compare_digest(one, expected) for one in given]), "signature")
    require(abs(now - int(timestamp)) <= TOLERANCE, "stale")

    event = json.loads(body)
    require(sorted(event) == ["business_id", "created_at", "data", "id", "type"], "keys")
    require(re.fullmatch(r"evt_\w+", event["id"]), "id")
    require(re.fullmatch(r"bus_\w+", event["business_id"]), "business_id")
    require(event["type"] == kind, "event")
    require(isinstance(event["data"], dict), "data")
    require(event["created_at"].endswith("Z"), "created_at")
    datetime.datetime.fromisoformat(event["created_at"])
    return {"id": event["id"], "delivery": delivery, "signatures": len(given)}


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        with open(os.environ["WORLD"], encoding="utf-8") as file:
            world = json.load(file)
        try:
            verdict = checked(self.headers, body, world["now"])
            status = world["status"]
        except Refused as refused:
            verdict = {"refused": str(refused)}
            status = 400
        print(json.dumps(verdict), flush=True)
        self.send_response(status)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_):
        """Standard error is for faults."""


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
print(server.server_address[1], flush=True)
server.serve_forever()
