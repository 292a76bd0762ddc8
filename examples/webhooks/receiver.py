"""A receiver of Crier's webhooks in plain Python: WEBHOOK_SECRET=whsec_… python3 receiver.py"""

import hashlib
import hmac
import json
import os
import queue
import sqlite3
import threading
import time
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["WEBHOOK_SECRET"].encode()
SLUG = os.environ.get("SERVICE_SLUG", "svc")
TOLERANCE = 300
LONGEST_BODY = 1_000_000
waiting = queue.Queue()


def fault(body, headers):
    """The code of what is wrong with a delivery, or None if it is genuine and fresh."""
    parts = [part.split("=", 1) for part in headers.get(f"x-{SLUG}-signature", "").split(",")]
    pairs = [part for part in parts if len(part) == 2]
    timestamp = dict(pairs).get("t", "")
    if not (timestamp.isascii() and timestamp.isdigit()):
        return "signature_missing"
    expected = hmac.new(SECRET, timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    # While the secret is rotated there are two v1, one for each secret.
    found = [value for name, value in pairs if name == "v1"]
    if not any(hmac.compare_digest(expected.encode(), value.encode()) for value in found):
        return "signature_mismatch"
    return "delivery_stale" if abs(time.time() - int(timestamp)) > TOLERANCE else None


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        length = int(self.headers.get("content-length", 0))
        if self.path != "/webhooks" or length > LONGEST_BODY:
            return self.answer(404 if self.path != "/webhooks" else 413)
        # The signature covers the raw bytes, so they are checked before they are parsed.
        body = self.rfile.read(length)
        code = fault(body, self.headers)
        if code:
            return self.answer(400, {"code": code})
        event = json.loads(body)
        # The same event may come twice: the second insert changes nothing.
        with closing(open_inbox()) as inbox, inbox:
            insert = "insert into events (id, body) values (?, ?) on conflict do nothing"
            if inbox.execute(insert, (event["id"], body.decode())).rowcount > 0:
                waiting.put(event)
        return self.answer(204)

    def answer(self, status, body=None):
        text = json.dumps(body).encode() if body else b""
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


def open_inbox():
    """A connection for one piece of work, which waits while another thread writes."""
    return sqlite3.connect(os.environ.get("INBOX", "inbox.sqlite"), timeout=30)


def create_inbox():
    with closing(open_inbox()) as inbox, inbox:
        inbox.execute(
            "create table if not exists events (id text primary key, body text, done int default 0)"
        )


def work(event):
    if event["type"] == "form.submitted":
        print(f"{event['id']}: {', '.join(event['data']['fields'])} were filled in", flush=True)
    else:
        # New types may be added at any time, so an unknown one is not an error.
        print(f"{event['id']}: {event['type']}, nothing to do", flush=True)


def work_on_all():
    """Works after the answer, since a delivery must be answered within 5 seconds."""
    with closing(open_inbox()) as inbox, inbox:
        for (body,) in inbox.execute("select body from events where not done"):
            waiting.put(json.loads(body))
    while True:
        event = waiting.get()
        work(event)
        with closing(open_inbox()) as inbox, inbox:
            inbox.execute("update events set done = 1 where id = ?", (event["id"],))


if __name__ == "__main__":
    create_inbox()
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", 3000))), Receiver)
    print(f"listening on port: {server.server_port}", flush=True)
    # Only now, so that no two threads print into one line.
    threading.Thread(target=work_on_all, daemon=True).start()
    server.serve_forever()
