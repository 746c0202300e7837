<?php

/** Whether this secret signed the raw body in the last five minutes. */
function isGenuine(string $secret, array $server, string $body): bool
{
    $timestamp = $server['HTTP_X_SERVICE_TIMESTAMP'] ?? '';
    $signature = $server['HTTP_X_SERVICE_SIGNATURE'] ?? '';
    if ($secret === '' || !preg_match('/\A[0-9]{1,15}\z/', $timestamp)) {
        return false;
    }
    if (abs(time() - (int) $timestamp) > 300) {
        return false;
    }
    $expected = hash_hmac('sha256', "$timestamp.$body", $secret);
    return hash_equals($expected, $signature);
}

header('content-type: application/json');
$orders = json_decode(@file_get_contents('jobs.json') ?: '[]', true);
if ($_SERVER['REQUEST_METHOD'] === 'GET') {
    echo json_encode(array_values(array_filter($orders, fn ($name) => $name !== null)));
    exit;
}
$body = file_get_contents('php://input');
if (!isGenuine(getenv('SIGNING_SECRET') ?: '', $_SERVER, $body)) {
    http_response_code(401);
    echo json_encode(['message' => 'The signature is wrong, or older than five minutes']);
    exit;
}
$event = json_decode($body, true);
if (!$event['test'] && $event['event'] === 'design.ordered') {
    $order = $event['data']['design']['order'];
    // A cancelled order never comes back.
    if (!array_key_exists($order['id'], $orders)) {
        $orders[$order['id']] = $order['name'];
    }
} elseif (!$event['test'] && $event['event'] === 'order.cancelled') {
    $orders[$event['data']['order']['id']] = null;
}
file_put_contents('jobs.json', json_encode((object) $orders));
http_response_code(204);
