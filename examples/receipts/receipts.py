"""Sends a receipt for each order on its input: CRIER_URL=https://… CRIER_API_KEY=crk_… python3 receipts.py

An order is a line of JSON: {"id": "1042", "email": "ana@example.com", "total": "12 EUR"}. Only the
standard library.
"""
import json, os, sys, time, urllib.error, urllib.request

URL = os.environ.get("CRIER_URL", "http://localhost:8080")
TIMEOUT = float(os.environ.get("CRIER_TIMEOUT", "10000")) / 1000
PAUSES = [0.5, 1, 2]
PASSING = {408, 429, 502, 503, 504}


def send(order):
    request = urllib.request.Request(
        URL + "/v1/emails",
        method="POST",
        headers={
            "Authorization": "Bearer " + os.environ["CRIER_API_KEY"],
            "Content-Type": "application/json",
            # However often this order is read or tried, its receipt is sent once.
            "Idempotency-Key": "receipt-" + order["id"],
        },
        data=json.dumps({
            "to": order["email"],
            "subject": "Your receipt for order " + order["id"],
            "text": "Thank you. You paid " + order["total"] + ".",
            "tags": ["receipt"],
            "metadata": {"order": order["id"]},
        }).encode(),
    )
    for pause in PAUSES + [None]:
        wait = pause
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
                return json.load(answer)["message_id"]
        except urllib.error.HTTPError as error:
            # What is wrong with the order itself is not tried again; the answer says how to mend it.
            if pause is None or error.code not in PASSING:
                raise RuntimeError(error.read().decode()) from error
            wait = float(error.headers.get("Retry-After") or pause)
        except (OSError, ValueError):
            # Cut off or too late: whether it was sent is unknown, and the key makes that harmless.
            if pause is None:
                raise
        time.sleep(wait)


for line in sys.stdin:
    print(send(json.loads(line)), flush=True)
