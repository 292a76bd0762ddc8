<?php

/** A receiver of Crier's webhooks in plain PHP: WEBHOOK_SECRET=whsec_… php -S 127.0.0.1:3000 receiver.php */

declare(strict_types=1);

const TOLERANCE = 300;
const LONGEST_BODY = 1_000_000;

/** The code of what is wrong with a delivery, or null if it is genuine and fresh. */
function fault(string $body, string $signature, string $secret): ?string
{
    preg_match_all('/(t|v1)=([0-9a-f]+)/', $signature, $parts, PREG_SET_ORDER);
    $timestamp = '';
    $found = [];
    foreach ($parts as [, $name, $value]) {
        if ($name === 't') {
            $timestamp = $value;
        } else {
            // While the secret is rotated there are two v1, one for each secret.
            $found[] = $value;
        }
    }
    if (!ctype_digit($timestamp)) {
        return 'signature_missing';
    }
    $expected = hash_hmac('sha256', $timestamp . '.' . $body, $secret);
    $isGenuine = false;
    foreach ($found as $value) {
        $isGenuine = hash_equals($expected, $value) || $isGenuine;
    }
    if (!$isGenuine) {
        return 'signature_mismatch';
    }
    return abs(time() - (int) $timestamp) > TOLERANCE ? 'delivery_stale' : null;
}

function answer(int $status, ?array $body = null): void
{
    http_response_code($status);
    if ($body !== null) {
        header('content-type: application/json');
        echo json_encode($body);
    }
}

function work(array $event): void
{
    $line = $event['type'] === 'form.submitted'
        ? implode(', ', array_keys($event['data']['fields'])) . ' were filled in'
        // New types may be added at any time, so an unknown one is not an error.
        : $event['type'] . ', nothing to do';
    file_put_contents('php://stdout', $event['id'] . ': ' . $line . "\n");
}

$slug = strtoupper(getenv('SERVICE_SLUG') ?: 'svc');
if ($_SERVER['REQUEST_METHOD'] !== 'POST' || $_SERVER['REQUEST_URI'] !== '/webhooks') {
    answer(404);
    return;
}
// The signature covers the raw bytes, so they are checked before they are parsed.
$body = file_get_contents('php://input', false, null, 0, LONGEST_BODY + 1);
if (strlen($body) > LONGEST_BODY) {
    answer(413);
    return;
}
$code = fault($body, $_SERVER["HTTP_X_{$slug}_SIGNATURE"] ?? '', (string) getenv('WEBHOOK_SECRET'));
if ($code !== null) {
    answer(400, ['code' => $code]);
    return;
}
$event = json_decode($body, true, flags: JSON_THROW_ON_ERROR);
// One file for each event: the same event may come twice, and `x` creates a file once. A table of
// your database with the event's id as its key does the same.
$inbox = getenv('INBOX') ?: 'inbox';
@mkdir($inbox, 0700, true);
$file = @fopen($inbox . '/' . preg_replace('/\W/', '', $event['id']) . '.json', 'x');
if ($file !== false) {
    fwrite($file, $body);
    fclose($file);
    // Short work may be done here. For more, let a cron job work on the files: a delivery must be
    // answered within 5 seconds.
    work($event);
}
answer(204);
