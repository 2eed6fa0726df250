package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
)

// Invoice is an order as it is sent to its customer.
type Invoice struct {
	Number string `json:"number"`
	To     string `json:"to"`
	Lines  []Line `json:"lines"`
	Cents  int    `json:"cents"`
}

// API answers requests from a store.
type API struct {
	store *Store
	mux   *http.ServeMux
}

// NewAPI returns the handler of all the service's paths.
func NewAPI(store *Store) *API {
	api := &API{store: store, mux: http.NewServeMux()}
	api.mux.HandleFunc("GET /customers/{id}", api.customer)
	api.mux.HandleFunc("GET /orders/{id}", api.order)
	api.mux.HandleFunc("GET /orders/{id}/invoice", api.invoice)
	return api
}

// ServeHTTP implements [http.Handler].
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) { a.mux.ServeHTTP(w, r) }

func (a *API) customer(w http.ResponseWriter, r *http.Request) {
	id, ok := pathID(w, r)
	if !ok {
		return
	}
	customer := a.store.Customer(id)
	if customer == nil {
		http.Error(w, fmt.Sprintf("no customer %d", id), http.StatusNotFound)
		return
	}
	reply(w, customer)
}

func (a *API) order(w http.ResponseWriter, r *http.Request) {
	id, ok := pathID(w, r)
	if !ok {
		return
	}
	order := a.store.Order(id)
	if order == nil {
		http.Error(w, fmt.Sprintf("no order %d", id), http.StatusNotFound)
		return
	}
	reply(w, order)
}

func (a *API) invoice(w http.ResponseWriter, r *http.Request) {
	id, ok := pathID(w, r)
	if !ok {
		return
	}
	order := a.store.Order(id)
	if order == nil {
		http.Error(w, fmt.Sprintf("no order %d", id), http.StatusNotFound)
		return
	}
	customer := a.store.Customer(order.CustomerID)
	reply(w, Invoice{
		Number: fmt.Sprintf("R-%d", order.ID),
		To:     customer.Name + ", " + customer.City,
		Lines:  order.Lines,
		Cents:  order.Total(),
	})
}

// pathID returns the {id} of the request's path. When it is no number, it
// answers the request and returns false.
func pathID(w http.ResponseWriter, r *http.Request) (int, bool) {
	id, err := strconv.Atoi(r.PathValue("id"))
	if err != nil {
		http.Error(w, fmt.Sprintf("%q is no number", r.PathValue("id")), http.StatusBadRequest)
		return 0, false
	}
	return id, true
}

// reply answers with a value as JSON.
func reply(w http.ResponseWriter, value any) {
	body, err := json.Marshal(value)
	if err != nil {
		http.Error(w, "encode reply", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	// A client that has gone away needs no answer.
	_, _ = w.Write(append(body, '\n'))
}
