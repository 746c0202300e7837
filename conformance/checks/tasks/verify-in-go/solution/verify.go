package main

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
}
