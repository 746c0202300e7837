<?php
// Reads deliveries from standard input and writes whether the snippet finds each genuine.
error_reporting(E_ALL);
set_error_handler(fn (int $level, string $message) => throw new ErrorException($message));

// In a namespace of its own, where time() is the case's.
eval('namespace Checked; function time() { return $GLOBALS["now"]; } ?>' . file_get_contents($argv[1]));

$verdicts = [];
foreach (json_decode(file_get_contents('php://stdin'), true) as $case) {
    $GLOBALS['now'] = $case['now'];
    $server = [];
    foreach ($case['headers'] as $name => $value) {
        $server['HTTP_' . strtoupper(str_replace('-', '_', $name))] = base64_decode($value);
    }
    $verdicts[] = \Checked\isGenuine($case['secret'], $server, base64_decode($case['body']));
}
echo json_encode($verdicts);
