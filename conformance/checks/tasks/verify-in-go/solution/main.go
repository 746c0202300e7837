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

type order struct {
	Id   string
	Name string
}

type event struct {
	Event string
	Test  bool
	Data  struct {
		Design struct{ Order *order }
		Order  *order
	}
}

var (
	secret    = os.Getenv("SIGNING_SECRET")
	lock      sync.Mutex
	orders    = map[string]string{}
	cancelled = map[string]bool{}
)

func receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if !isGenuine(secret, r.Header, body) {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	var e event
	if err := json.Unmarshal(body, &e); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if !e.Test {
		apply(e)
	}
	w.WriteHeader(http.StatusNoContent)
}

func apply(e event) {
	lock.Lock()
	defer lock.Unlock()
	switch {
	case e.Event == "design.ordered" && e.Data.Design.Order != nil:
		orders[e.Data.Design.Order.Id] = e.Data.Design.Order.Name
	case e.Event == "order.cancelled" && e.Data.Order != nil:
		cancelled[e.Data.Order.Id] = true
	}
}

func worklist(w http.ResponseWriter, _ *http.Request) {
	lock.Lock()
	defer lock.Unlock()
	names := []string{}
	for id, name := range orders {
		if !cancelled[id] {
			names = append(names, name)
		}
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
