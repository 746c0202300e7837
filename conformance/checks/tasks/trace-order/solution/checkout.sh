set -e
trace=$(node -p 'crypto.randomBytes(16).toString("hex")')
put() {
  curl --fail-with-body --silent --output /dev/null -X PUT -H "Authorization: Bearer $MANAGE_KEY" \
    -H "traceparent: 00-$trace-$(node -p 'crypto.randomBytes(8).toString("hex")')-01" -d "$2" "$MANAGE_URL$1"
}
put "/designs/d-$ORDER" '{"customizerId":1,"basePrice":12900,"selection":{"metal":"gold"}}'
put "/orders/$ORDER" "{\"name\":\"#$ORDER\",\"orderedAt\":\"$(date -u +%Y-%m-%dT%H:%M:%SZ)\",
  \"lines\":[{\"designId\":\"d-$ORDER\",\"lineItemId\":\"1\"}]}"
echo "$trace"
