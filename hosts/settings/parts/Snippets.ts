/** How a receiver verifies a delivery with the library `standardwebhooks` (D41). */
export const standardSnippet = `import { Webhook } from "standardwebhooks"

export async function POST(request: Request) {
  try {
    const webhook = new Webhook(process.env.SIGNING_SECRET!)
    const event = webhook.verify(await request.text(), Object.fromEntries(request.headers))
    await queue.add(event)
    return new Response(null, { status: 204 })
  } catch {
    return new Response(null, { status: 401 })
  }
}`

/** How a receiver verifies a delivery (§5), in several languages. Each answers 401 to what is not good. */
export const snippets: ReadonlyArray<{ readonly language: string; readonly code: string }> = [
  {
    language: "TypeScript",
    code: `import { verifyWebhook } from "designwire/receiver"

export async function POST(request: Request) {
  const body = new Uint8Array(await request.arrayBuffer())
  const result = await verifyWebhook({
    secret: process.env.SIGNING_SECRET!,
    headers: request.headers,
    body,
  })
  if (!result.ok) return new Response(result.message, { status: 401 })
  await queue.add(result.event) // Slow work after the answer; drop event ids that you have seen.
  return new Response(null, { status: 204 })
}`,
  },
  {
    language: "Python",
    code: `import hashlib, hmac, os, time

def is_genuine(headers, body: bytes) -> bool:
    timestamp = headers.get("X-Service-Timestamp", "")
    signature = headers.get("X-Service-Signature", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > 300:
        return False
    key = os.environ["SIGNING_SECRET"].encode()
    expected = hmac.new(key, timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, signature)`,
  },
  {
    language: "PHP",
    code: `function isGenuine(array $headers, string $body): bool {
    $timestamp = $headers['X-Service-Timestamp'] ?? '';
    $signature = $headers['X-Service-Signature'] ?? '';
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > 300) {
        return false;
    }
    $expected = hash_hmac('sha256', "$timestamp.$body", getenv('SIGNING_SECRET'));
    return hash_equals($expected, $signature);
}`,
  },
  {
    language: "Ruby",
    code: `require "openssl"

def genuine?(headers, body)
  timestamp = headers["X-Service-Timestamp"].to_s
  return false unless timestamp.match?(/\\A\\d+\\z/) && (Time.now.to_i - timestamp.to_i).abs <= 300
  expected = OpenSSL::HMAC.hexdigest("SHA256", ENV.fetch("SIGNING_SECRET"), "#{timestamp}.#{body}")
  OpenSSL.secure_compare(expected, headers["X-Service-Signature"].to_s)
end`,
  },
  {
    language: "Go",
    code: `func isGenuine(header http.Header, body []byte) bool {
	timestamp := header.Get("X-Service-Timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || math.Abs(float64(time.Now().Unix()-seconds)) > 300 {
		return false
	}
	mac := hmac.New(sha256.New, []byte(os.Getenv("SIGNING_SECRET")))
	mac.Write([]byte(timestamp + "."))
	mac.Write(body)
	signature, err := hex.DecodeString(header.Get("X-Service-Signature"))
	return err == nil && hmac.Equal(mac.Sum(nil), signature)
}`,
  },
]
