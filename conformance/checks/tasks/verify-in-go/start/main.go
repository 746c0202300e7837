// The workshop's list of orders to make.
package main

import (
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"sort"
	"sync"
)

var (
	lock   sync.Mutex
	orders = map[string]bool{}
)

func receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	log.Printf("%s", body)
	w.WriteHeader(http.StatusNoContent)
}

func worklist(w http.ResponseWriter, _ *http.Request) {
	lock.Lock()
	defer lock.Unlock()
	names := []string{}
	for name := range orders {
		names = append(names, name)
	}
	sort.Strings(names)
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(names)
}

func main() {
	http.HandleFunc("/webhooks", receive)
	http.HandleFunc("/worklist", worklist)
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}
