<?php
/**
 * The specification's REST API in PHP without packages, in memory, and a driver for the conformance suite in the same process.
 * It passes the profile `rest`: it has no webhooks, and takes definitions and selections for valid.
 *
 * php service.php 8767    serves http://127.0.0.1:8767/api/v1 and reads calls of the driver from standard input, until that ends.
 * One loop does everything, one thing after the other: no request ever sees half a change.
 */
ini_set('memory_limit', '-1');
const BASE = '/api/v1', LARGEST = 2 ** 53 - 1, PAGE_BYTES = 8 * 1024 * 1024 - 1024, VERSION = '2026-10';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
[$shops, $tokens, $uses, $macKey] = [[], [], [], random_bytes(32)];

class Refused extends Exception {} // Its code is the status.
function need(bool $is, string $message, int $status = 422): void { if (!$is) throw new Refused($message, $status); }
function json(mixed $value): string { return json_encode($value, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_THROW_ON_ERROR); }

/** Milliseconds since 1970 of an ISO 8601 date-time with an offset, or of a date (D1, D13). */
function instant(string $text): ?int {
    $time = '(\d\d)(?(2):)(\d\d)(?:(?(2):)(\d\d)(?:\.(\d+))?)?(?:Z|z|([+ -])(\d\d)(?::?(\d\d))?)';
    if (!preg_match("/^(\d{4})(-)?(\d\d)(?(2)-)(\d\d)(?:[Tt]$time)?$/D", $text, $found, PREG_UNMATCHED_AS_NULL)) return null;
    [, $year, , $month, $day, $hour, $minute, $second, $decimals, $sign, $hours, $minutes] = $found;
    if (!checkdate($month, $day, $year) || max($hour, $hours) > 23 || max($minute, $second, $minutes) > 59) return null;
    $offset = ((int) $hours * 60 + (int) $minutes) * ($sign === '-' ? -1 : 1);
    $moment = (new DateTimeImmutable('@0'))->setDate($year, $month, $day)->setTime((int) $hour, (int) $minute - $offset, (int) $second);
    $at = $moment->getTimestamp() * 1000 + (int) substr("{$decimals}000", 0, 3);
    return $at >= -62_135_596_800_000 && $at <= 253_402_300_799_999 ? $at : null;
}

function written(int $at): string {
    $second = (int) floor($at / 1000);
    return gmdate('Y-m-d\TH:i:s', $second) . sprintf('.%03d+00:00', $at - $second * 1000);
}

// How a selection is evaluated.
function holds(object $when, array $values): bool {
    if (isset($when->not)) return !holds($when->not, $values);
    if (isset($when->question)) {
        $value = $values[$when->question] ?? null;
        return isset($when->answered) ? ($value !== null) === $when->answered : in_array($when->is, (array) $value, true);
    }
    $parts = array_map(fn ($part) => holds($part, $values), $when->all ?? $when->any);
    return isset($when->all) ? !in_array(false, $parts, true) : in_array(true, $parts, true);
}

function evaluate(object $definition, object $selection, int $base, object $shop): array {
    [$values, $summary, $production, $lines] = [[], [], [], []];
    foreach ($definition->questions as $question) {
        [$name, $value, $answers] = [$question->id, $selection->{$question->id} ?? null, $question->answers ?? []];
        $isVisible = !($question->hidden ?? false);
        foreach ($definition->rules as $rule) {
            $isNamed = in_array($name, [...$rule->show ?? [], ...$rule->hide ?? []], true);
            if ($isNamed && holds($rule->when, $values)) $isVisible = in_array($name, $rule->show ?? [], true);
        }
        $text = is_object($value) ? $value->text : null;
        if (!$isVisible || $value === null || $value === [] || $text !== null && trim($text) === '') continue;
        $values[$name] = $value;
        [$isList, $many] = [is_array($value), is_array($value) ? $value : [$text ?? $value]];
        $chosen = array_values(array_filter($answers, fn ($answer) => in_array($answer->id, $many, true)));
        $shown = $answers ? array_map(fn ($answer) => $answer->orderValue ?? $answer->title, $chosen) : $many;
        $codes = $answers ? array_column($chosen, 'productionCode') : $many;
        $summary[] = ['key' => $question->orderKey ?? $question->title, 'value' => $isList ? $shown : $shown[0]];
        $entry = ['key' => $question->productionKey ?? $name, ...($isList ? ['values' => $codes] : ['value' => $codes[0]])];
        $picked = $isList ? ['answerIds' => array_column($chosen, 'id')] : ['answerId' => $value];
        $production[] = $answers ? [...$entry, 'ref' => ['questionId' => $name, ...$picked]] : $entry;
        foreach ($answers ? $chosen : [(object) ['id' => $question->type, 'price' => $question->price ?? 0]] as $each) {
            $line = ['q' => $name, 'a' => $each->id, 'amount' => $each->price ?? 0, 'variantId' => $each->variantId ?? null];
            if ($line['amount'] !== 0 || $line['variantId'] !== null) $lines[] = $line;
        }
    }
    [$total, $step] = [$base + array_sum(array_column($lines, 'amount')), $shop->roundingStep];
    $rounded = max(0, intdiv(2 * $total + $step, 2 * $step) * $step);
    need(max(abs($total), $rounded) <= LARGEST, 'the price is too large');
    $price = ['base' => $base, 'lines' => $lines, 'rounding' => $rounded - $total, 'total' => $rounded, 'currency' => $shop->currency];
    return ['summary' => $summary, 'productionData' => $production, 'price' => $price];
}

// The driver: what changes the service. Designs and orders are kept in their wire form, and orders hold their designs.
function putDesign(object $shop, string $id, object $input): void {
    $kept = $shop->designs[$id] ?? null;
    need(($kept->status ?? 'draft') === 'draft', 'the design is frozen', 409);
    $customizer = $shop->customizers[$input->customizerId] ?? null;
    need(isset($customizer->version), 'the customizer was never published', 409);
    $url = fn ($name) => rtrim($shop->imageBase, '/') . '/designs/' . rawurlencode($id) . '/' . rawurlencode($name) . '.png';
    $images = new stdClass();
    foreach (array_column($customizer->definition->steps, 'view') as $view) $images->{$view} = $kept->images->{$view} ?? $url($view);
    $first = $customizer->definition->steps[0]->view;
    $isSame = $kept !== null && (string) array_key_first((array) $kept->images) === $first;
    $createdAt = instant($input->createdAt ?? $kept->createdAt ?? '') ?? (int) (microtime(true) * 1000);
    $shop->designs[$id] = (object) [
        'id' => $id, 'status' => 'draft',
        'customizer' => ['id' => $customizer->id, 'title' => $customizer->title, 'version' => $customizer->version],
        'order' => null, 'selection' => $input->selection,
        ...evaluate($customizer->definition, $input->selection, $input->basePrice, $shop),
        'images' => $images, 'thumbnail' => $isSame ? $kept->thumbnail : $url("{$first}_thumb"),
        'createdAt' => written($createdAt), 'orderedAt' => null,
    ];
}

function putOrder(object $shop, string $id, object $input): void {
    if ($input->lines === []) return;
    [$order, $at, $added] = [$shop->orders[$id] ?? null, written(instant($input->orderedAt)), []];
    $items = array_column($input->lines, 'lineItemId', 'designId');
    need([count($items), array_unique($items)] === [count($input->lines), $items], 'two lines have the same design or id');
    need(!$order || [$order->name, $order->orderedAt] === [$input->name, $at], 'the order has another name or time', 409);
    $taken = array_map(fn ($design) => $design->order['lineItemId'], $order->designs ?? []);
    foreach ($items as $name => $_) need(isset($shop->designs[$name]), 'there is no such design', 404);
    foreach ($items as $name => $item) {
        $isLinked = in_array($shop->designs[$name], $order->designs ?? [], true);
        need(!$isLinked || $shop->designs[$name]->order['lineItemId'] === $item, 'a design is linked to another line', 409);
        if (!$isLinked) $added[] = $shop->designs[$name];
    }
    foreach ($added as $design) {
        need(!in_array($items[$design->id], $taken, true), 'a line has another design');
        need($design->status === 'draft' && ($order->status ?? 'ordered') === 'ordered', 'it can no longer be ordered', 409);
        need($design->price['currency'] === ($order->currency ?? $shop->currency), 'a design is in another currency', 409);
    }
    $designs = [...$order->designs ?? [], ...$added];
    $total = array_sum(array_map(fn ($design) => $design->price['total'], $designs));
    need($total <= LARGEST, 'the total is too large');
    foreach ($added as $design) {
        [$design->status, $design->orderedAt] = ['ordered', $at];
        $design->order = ['id' => $id, 'name' => $input->name, 'lineItemId' => $items[$design->id]];
    }
    $shop->orders[$id] = (object) ['id' => $id, 'name' => $input->name, 'status' => $order->status ?? 'ordered',
        'currency' => $order->currency ?? $shop->currency, 'total' => $total, 'orderedAt' => $at, 'designs' => $designs];
    if (($shop->cancelled[$id] ?? 0) > time()) cancelOrder($shop, $id);
    unset($shop->cancelled[$id]);
}

function cancelOrder(object $shop, string $id): void {
    $order = $shop->orders[$id] ?? null;
    if ($order === null) $shop->cancelled[$id] = time() + 86_400; // It may still come.
    else foreach ([$order, ...$order->designs] as $each) $each->status = 'cancelled';
}

function createToken(object $shop): array {
    global $tokens;
    need($shop->plan !== 'free', 'the plan has no tokens', 409);
    need(count(array_keys($tokens, $shop->key, true)) < 100, 'the shop has its 100 tokens already', 409);
    for ($random = ''; strlen($random) < 43;) $random .= BASE62[random_int(0, 61)];
    for ([$sum, $left] = ['', crc32($random)]; strlen($sum) < 6; $left = intdiv($left, 62)) $sum = BASE62[$left % 62] . $sum;
    $digest = hash('sha256', "cmz_$random$sum");
    $tokens[$digest] = $shop->key;
    return ['id' => $digest, 'token' => "cmz_$random$sum"];
}

function driven(string $line): string {
    global $shops, $tokens;
    ['id' => $number, 'call' => $call, 'given' => $given] = (array) json_decode($line);
    [$shop, $input, $id, $ok] = [$shops[$given->shop] ?? null, $given->input ?? null, $given->id ?? '', null];
    $kept = $shop->customizers[$id] ?? (object) ['status' => 'draft', 'version' => null, 'definition' => null];
    $empty = ['key' => $given->shop, 'customizers' => [], 'designs' => [], 'orders' => [], 'cancelled' => []];
    try {
        need($shop !== null || $call === 'putShop', 'there is no such shop', 404);
        if ($call === 'putShop') {
            $shops[$given->shop] = (object) [...(array) ($shop ?? $empty), 'plan' => 'pro', 'roundingStep' => 1, ...(array) $input];
        } elseif ($call === 'putCustomizer') {
            $shop->customizers[$id] = (object) ['id' => $id, 'title' => $input->title, 'status' => $kept->status,
                'platformProductId' => $input->platformProductId, 'version' => $kept->version,
                'assetBase' => $input->assetBase, 'definition' => $kept->definition];
        } elseif ($call === 'publish') {
            need(isset($shop->customizers[$id]), 'there is no such customizer', 404);
            [$kept->status, $kept->version, $kept->definition] = ['published', $kept->version + 1, $given->definition];
        } elseif ($call === 'putDesign' || $call === 'putOrder') $call($shop, $id, $input);
        elseif ($call === 'cancelOrder') cancelOrder($shop, $id);
        elseif ($call === 'createToken') $ok = createToken($shop);
        elseif ($call === 'deleteToken') unset($tokens[$id]);
        else return json(['id' => $number, 'unsupported' => 'this service has the REST API only']) . "\n";
        return json(['id' => $number, 'ok' => $ok]) . "\n";
    } catch (Refused $refused) {
        return json(['id' => $number, 'refused' => $refused->getMessage(), 'status' => $refused->getCode()]) . "\n";
    }
}

// The REST API: what is read.
function page(object $shop, string $query): array {
    global $macKey;
    [$asked, $others, $position] = [[], [], null];
    foreach (array_filter(explode('&', $query), strlen(...)) as $part) {
        [$name, $value] = [...array_map(urldecode(...), explode('=', $part, 2)), ''];
        if ($name !== 'cursor') $others[] = $part;
        if (!in_array($name, ['limit', 'cursor', 'orderedAfter'], true)) continue;
        need($value !== '' && !isset($asked[$name]), "$name must be given once and not be empty", 400);
        $asked[$name] = $value;
    }
    $limit = $asked['limit'] ?? '25';
    need(preg_match('/^[1-9][0-9]{0,2}$/D', $limit) && $limit <= 100, 'limit must be an integer from 1 to 100', 400);
    $after = isset($asked['orderedAfter']) ? instant($asked['orderedAfter']) : null;
    need(!isset($asked['orderedAfter']) || $after !== null, 'orderedAfter must be a date, or a date-time with an offset', 400);
    $sealed = fn ($payload) => "$payload." . hash_hmac('sha256', "1 $shop->key $payload", $macKey);
    if (isset($asked['cursor'])) {
        [$payload] = explode('.', $asked['cursor']);
        need(hash_equals($sealed($payload), $asked['cursor']), 'cursor must be the nextCursor of the page before', 400);
        [$position, $kept] = json_decode(base64_decode(strtr($payload, '-_', '+/')));
        need(in_array($after, [null, $kept], true), 'cursor belongs to another orderedAfter', 400);
        $after = $kept;
    }
    $compare = fn ($one, $other) => $one[0] <=> $other[0] ?: strcmp($one[1], $other[1]);
    $keyed = array_map(fn ($order) => [instant($order->orderedAt), $order->id, $order], array_values($shop->orders));
    $matching = array_filter($keyed, fn ($each) => $after === null || $each[0] >= $after);
    usort($matching, fn ($one, $other) => $compare($other, $one));
    $rest = array_values(array_filter($matching, fn ($each) => $position === null || $compare($each, $position) < 0));
    [$texts, $size, $next, $link] = [[], 0, null, []];
    foreach (array_slice($rest, 0, (int) $limit) as [, , $order]) {
        $size += strlen($text = json($order)) + 1;
        if ($texts && $size > PAGE_BYTES) break;
        $texts[] = $text;
    }
    if (count($texts) < count($rest)) {
        $last = array_slice($rest[count($texts) - 1], 0, 2);
        $next = $sealed(rtrim(strtr(base64_encode(json([$last, $after])), '+/', '-_'), '='));
        $link = ['Link' => '<' . BASE . '/orders?' . implode('&', [...$others, "cursor=$next"]) . '>; rel="next"'];
    }
    $pagination = json(['total' => count($matching), 'limit' => (int) $limit, 'nextCursor' => $next]);
    return ['{"data":[' . implode(',', $texts) . "],\"pagination\":$pagination}", $link];
}

/** A status, headers and a body, in the order of checks of D11. */
function answer(string $method, string $target, array $headers): array {
    global $shops, $tokens, $uses;
    [$more, $now] = [[], microtime(true)];
    $error = function (int $status, string $message, array $added = []) use (&$more) {
        return [$status, [...$more, ...$added], json(['message' => $message])];
    };
    preg_match('/^bearer +(\S+)$/Di', $headers['authorization'] ?? '', $found);
    $digest = hash('sha256', $found[1] ?? '');
    if (!isset($tokens[$digest])) return $error(401, 'A token is needed: Authorization: Bearer …', ['WWW-Authenticate' => 'Bearer']);
    $shop = $shops[$tokens[$digest]];
    $recent = array_values(array_filter($uses[$digest] ?? [], fn ($at) => $at > $now - 60));
    if ($isAccepted = $shop->plan !== 'free' && count($recent) < 120) $recent[] = $now;
    $uses[$digest] = $recent;
    $reset = $recent ? max(1, (int) ceil($recent[0] + 60 - $now)) : 0;
    $more = ['RateLimit-Policy' => '"default";q=120;w=60', 'RateLimit' => sprintf('"default";r=%d;t=%d', 120 - count($recent), $reset)];
    if ($shop->plan === 'free') return $error(403, 'The REST API is part of the plans Pro and Plus');
    if (!$isAccepted) return $error(429, 'Too many requests', ['Retry-After' => $reset]);
    [$path, $query] = explode('?', "$target?", 2);
    $isKnown = preg_match('~^' . BASE . '/(?:orders|(orders|designs|customizers)/([^/]+))$~D', $path, $found);
    [, $kind, $id] = [...$found, '', '', ''];
    if (!$isKnown || preg_match('/%(?![0-9A-Fa-f]{2})/', $id)) return $error(404, 'There is nothing at this address');
    if (!in_array($method, ['GET', 'HEAD'], true)) return $error(405, 'Only GET and HEAD', ['Allow' => 'GET, HEAD']);
    if (($headers['x-api-version'] ?? VERSION) !== VERSION) return $error(400, 'X-Api-Version must be ' . VERSION);
    $isId = $kind !== 'customizers' || preg_match('/^[1-9][0-9]{0,15}$/D', $id);
    $object = $isId && $kind !== '' ? $shop->$kind[rawurldecode($id)] ?? null : null;
    if ($kind !== '' && $object === null) return $error(404, 'There is no such object');
    try {
        [$body, $link] = $kind === '' ? page($shop, substr($query, 0, -1)) : [json($object), []];
    } catch (Refused $refused) { return $error(400, $refused->getMessage()); }
    $tag = '"' . hash('sha256', $body) . '"';
    $more = [...$more, ...$link, 'ETag' => $tag, 'Cache-Control' => 'private, no-cache', 'Vary' => 'Authorization, Accept-Encoding'];
    $wanted = array_map(fn ($each) => preg_replace('~^W/~', '', trim($each)), explode(',', $headers['if-none-match'] ?? ''));
    return in_array($tag, $wanted, true) || $wanted === ['*'] ? [304, $more, ''] : [200, $more, $body];
}

/** Answers the requests of a client that have arrived whole. */
function serve(object $client): void {
    while (!$client->isLast && ($end = strpos($client->in, "\r\n\r\n")) !== false) {
        $headers = [];
        $lines = explode("\r\n", substr($client->in, 0, $end));
        [$method, $target] = explode(' ', array_shift($lines) . '  ');
        foreach ($lines as $line) $headers[strtolower(strstr($line, ':', true))] = trim(substr(strstr($line, ':'), 1));
        $length = $end + 4 + (int) ($headers['content-length'] ?? 0);
        if (strlen($client->in) < $length) break;
        $client->in = substr($client->in, $length);
        $client->isLast = strtolower($headers['connection'] ?? '') === 'close';
        [$status, $more, $body] = answer($method, $target, $headers);
        $sent = ['Content-Type' => 'application/json', 'X-Api-Version' => VERSION, ...$more];
        if ($status !== 304) $sent['Content-Length'] = strlen($body);
        $client->out .= "HTTP/1.1 $status -\r\n";
        foreach ($sent as $name => $value) $client->out .= "$name: $value\r\n";
        $client->out .= "\r\n" . ($method === 'HEAD' ? '' : $body);
    }
}

$server = stream_socket_server("tcp://127.0.0.1:$argv[1]", $code, $message) ?: exit("$message\n");
stream_set_blocking(STDIN, false);
for ([$clients, $lines, $failing] = [[], '', null]; !feof(STDIN);) {
    $reading = [STDIN, $server, ...array_column($clients, 'socket')];
    $writing = array_column(array_filter($clients, fn ($client) => $client->out !== ''), 'socket');
    stream_select($reading, $writing, $failing, null);
    foreach ($reading as $socket) {
        if ($socket === STDIN) {
            $lines .= fread(STDIN, 1 << 20);
            for (; ($end = strpos($lines, "\n")) !== false; $lines = substr($lines, $end + 1)) echo driven(substr($lines, 0, $end));
        } elseif ($socket === $server) {
            stream_set_blocking($socket = stream_socket_accept($server), false);
            $clients[(int) $socket] = (object) ['socket' => $socket, 'in' => '', 'out' => '', 'isLast' => false];
        } else {
            $clients[(int) $socket]->in .= fread($socket, 1 << 16);
            serve($clients[(int) $socket]);
        }
    }
    foreach ($clients as $key => $client) {
        $sent = $client->out === '' ? 0 : @fwrite($client->socket, $client->out);
        $client->out = substr($client->out, (int) $sent);
        if ($sent !== false && ($client->out !== '' || !$client->isLast && !feof($client->socket))) continue;
        fclose($client->socket);
        unset($clients[$key]);
    }
}
