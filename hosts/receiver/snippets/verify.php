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
