// Reads deliveries from standard input and writes whether the snippet, which is in the same package, finds each genuine.
package main

import (
	"encoding/json"
	"net/http"
	"os"
)

// now is the time of a case: the snippet's time.Now() is replaced by time.Unix(now, 0).
var now int64

func main() {
	var cases []struct {
		Secret  string
		Headers map[string][]byte
		Body    []byte
		Now     int64
	}
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil {
		panic(err)
	}
	verdicts := []bool{}
	for _, each := range cases {
		header := http.Header{}
		for name, value := range each.Headers {
			header.Set(name, string(value))
		}
		now = each.Now
		verdicts = append(verdicts, isGenuine(each.Secret, header, each.Body))
	}
	json.NewEncoder(os.Stdout).Encode(verdicts)
}
