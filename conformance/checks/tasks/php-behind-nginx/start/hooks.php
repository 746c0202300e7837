<?php

header('content-type: application/json');
$jobs = json_decode(@file_get_contents('jobs.json') ?: '[]', true);
if ($_SERVER['REQUEST_METHOD'] === 'GET') {
    echo json_encode($jobs);
    exit;
}
$event = json_decode(file_get_contents('php://input'), true);
$jobs[] = $event['data']['design']['order']['name'];
file_put_contents('jobs.json', json_encode($jobs));
http_response_code(204);
