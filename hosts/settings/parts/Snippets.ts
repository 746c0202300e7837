/**
 * Code that verifies a delivery (§5, D41): the files of `hosts/receiver/snippets`, in a form that any bundler takes.
 */

/** With the library `standardwebhooks`. */
export const standardSnippet = `import { Webhook } from "standardwebhooks"

const secret = process.env.SIGNING_SECRET ?? ""

export async function POST(request: Request) {
  try {
    const event = new Webhook(secret).verify(await request.text(), Object.fromEntries(request.headers))
    console.log(event) // Slow work belongs in a queue. Drop events whose id you have seen.
    return new Response(null, { status: 204 })
  } catch {
    return new Response(null, { status: 401 })
  }
}`

/** By language. */
export const snippets: ReadonlyArray<{ readonly language: string; readonly code: string }> = [
  {
    language: "TypeScript",
    code: `import { verifyWebhook } from "designwire/receiver"

const secret = process.env.SIGNING_SECRET ?? ""

export async function POST(request: Request) {
  const result = await verifyWebhook({ secret, headers: request.headers, body: await request.arrayBuffer() })
  if (!result.ok) return Response.json({ message: result.message }, { status: 401 })
  console.log(result.event.id) // Slow work belongs in a queue. Drop events whose id you have seen.
  return new Response(null, { status: 204 })
}`,
  },
  {
    language: "Python",
    code: `import hashlib
import hmac
import re
import time


def is_genuine(secret, headers, body):
    """Whether this secret signed the raw body (bytes) in the last five minutes."""
    timestamp = headers.get("X-Service-Timestamp") or ""
    signature = headers.get("X-Service-Signature") or ""
    if not secret or not re.fullmatch("[0-9]{1,15}", timestamp):
        return False
    if abs(time.time() - int(timestamp)) > 300:
        return False
    signed = timestamp.encode() + b"." + body
    expected = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected.encode(), signature.encode(errors="replace"))`,
  },
  {
    language: "PHP",
    code: `<?php

/** Whether this secret signed the raw body in the last five minutes. */
function isGenuine(string $secret, array $server, string $body): bool
{
    $timestamp = $server['HTTP_X_SERVICE_TIMESTAMP'] ?? '';
    $signature = $server['HTTP_X_SERVICE_SIGNATURE'] ?? '';
    if ($secret === '' || !preg_match('/\\A[0-9]{1,15}\\z/', $timestamp)) {
        return false;
    }
    if (abs(time() - (int) $timestamp) > 300) {
        return false;
    }
    $expected = hash_hmac('sha256', "$timestamp.$body", $secret);
    return hash_equals($expected, $signature);
}`,
  },
  {
    language: "Ruby",
    code: `require "openssl"

# Whether this secret signed the raw body in the last five minutes.
def genuine?(secret, env, body)
  timestamp = env["HTTP_X_SERVICE_TIMESTAMP"].to_s.b
  signature = env["HTTP_X_SERVICE_SIGNATURE"].to_s.b
  return false if secret.empty? || !timestamp.match?(/\\A[0-9]{1,15}\\z/)
  return false if (Time.now.to_i - timestamp.to_i).abs > 300

  expected = OpenSSL::HMAC.hexdigest("SHA256", secret, "#{timestamp}.#{body}")
  OpenSSL.secure_compare(expected, signature)
end`,
  },
  {
    language: "Go",
    code: `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"time"
)

// isGenuine reports whether this secret signed the raw body in the last five minutes.
func isGenuine(secret string, header http.Header, body []byte) bool {
	timestamp := header.Get("X-Service-Timestamp")
	seconds, err := strconv.ParseUint(timestamp, 10, 63)
	if secret == "" || err != nil {
		return false
	}
	if age := time.Now().Unix() - int64(seconds); age > 300 || age < -300 {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "."))
	mac.Write(body)
	expected := hex.EncodeToString(mac.Sum(nil))
	return hmac.Equal([]byte(expected), []byte(header.Get("X-Service-Signature")))
}`,
  },
]
