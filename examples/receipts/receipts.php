<?php
// Sends a receipt for each order on its input: CRIER_URL=https://… CRIER_API_KEY=crk_… php receipts.php
// An order is a line of JSON: {"id": "1042", "email": "ana@example.com", "total": "12 EUR"}. Only PHP's curl.

const PAUSES = [0.5, 1, 2, null];
const PASSING = [408, 429, 502, 503, 504];

function send(array $order): string
{
    $headers = [
        'Authorization: Bearer ' . getenv('CRIER_API_KEY'),
        'Content-Type: application/json',
        // However often this order is read or tried, its receipt is sent once.
        'Idempotency-Key: receipt-' . $order['id'],
    ];
    $mail = [
        'to' => $order['email'],
        'subject' => 'Your receipt for order ' . $order['id'],
        'text' => 'Thank you. You paid ' . $order['total'] . '.',
        'tags' => ['receipt'],
        'metadata' => ['order' => $order['id']],
    ];
    foreach (PAUSES as $pause) {
        $retryAfter = null;
        $request = curl_init((getenv('CRIER_URL') ?: 'http://localhost:8080') . '/v1/emails');
        curl_setopt_array($request, [
            CURLOPT_POST => true,
            CURLOPT_HTTPHEADER => $headers,
            CURLOPT_POSTFIELDS => json_encode($mail),
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT_MS => (int) (getenv('CRIER_TIMEOUT') ?: 10000),
            CURLOPT_HEADERFUNCTION => function ($request, $line) use (&$retryAfter) {
                if (stripos($line, 'retry-after:') === 0) $retryAfter = (float) substr($line, 12);
                return strlen($line);
            },
        ]);
        $answer = curl_exec($request);
        $status = curl_getinfo($request, CURLINFO_RESPONSE_CODE);
        if ($answer !== false && $status >= 200 && $status < 300) {
            return json_decode($answer, true, 512, JSON_THROW_ON_ERROR)['message_id'];
        }
        // What is wrong with the order itself is not tried again; the answer says how to mend it. Of a
        // call that was cut off or too late nobody knows whether it was sent, and the key makes that harmless.
        $passes = $answer === false || in_array($status, PASSING, true);
        if ($pause === null || !$passes) {
            throw new RuntimeException($answer === false ? curl_error($request) : $answer);
        }
        usleep((int) (($retryAfter ?? $pause) * 1_000_000));
    }
    throw new LogicException('never reached');
}

while (($line = fgets(STDIN)) !== false) {
    echo send(json_decode($line, true, 512, JSON_THROW_ON_ERROR)), "\n";
}
