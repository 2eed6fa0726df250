package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"sync"
)

// Product is something that is sold.
type Product struct {
	ID    int    `json:"id"`
	Name  string `json:"name"`
	Cents int    `json:"cents"`
}

// Line is a part of an order.
type Line struct {
	Product int `json:"product"`
	Count   int `json:"count"`
}

// Order is what a customer buys.
type Order struct {
	Customer int    `json:"customer"`
	Lines    []Line `json:"lines"`
}

// Customer buys things.
type Customer struct {
	ID     int
	Name   string
	Orders []Order
}

// Shop answers requests.
type Shop struct {
	mu        sync.Mutex
	products  []Product
	customers map[int]*Customer
	sold      map[int]int // by product
	mux       *http.ServeMux
}

// NewShop returns a shop with three products, the cheapest first, and two customers.
func NewShop() *Shop {
	s := &Shop{
		products:  []Product{{1, "nut", 80}, {2, "bolt", 120}, {3, "wrench", 1900}},
		customers: map[int]*Customer{1: {ID: 1, Name: "Ines"}, 2: {ID: 2, Name: "Jonas"}},
		mux:       http.NewServeMux(),
	}
	s.mux.HandleFunc("GET /products/{id}", s.product)
	s.mux.HandleFunc("GET /cheapest/{n}", s.cheapest)
	s.mux.HandleFunc("GET /dearest/{n}", s.dearest)
	s.mux.HandleFunc("POST /orders", s.order)
	s.mux.HandleFunc("GET /customers/{id}", s.customer)
	s.mux.HandleFunc("GET /report", s.report)
	return s
}

// ServeHTTP implements http.Handler.
func (s *Shop) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// product answers with a product.
func (s *Shop) product(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.Atoi(r.PathValue("id"))
	if err != nil || id < 1 || id > len(s.products) {
		http.Error(w, "no such product", http.StatusNotFound)
		return
	}
	reply(w, s.products[id-1])
}

// cheapest answers with the n cheapest products.
func (s *Shop) cheapest(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.PathValue("n"))
	if err != nil || n < 1 {
		http.Error(w, "how many?", http.StatusBadRequest)
		return
	}
	reply(w, first(s.products, n))
}

// dearest answers with the n dearest products.
func (s *Shop) dearest(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.PathValue("n"))
	if err != nil || n < 1 {
		http.Error(w, "how many?", http.StatusBadRequest)
		return
	}
	reply(w, last(s.products, n))
}

// last returns the last n products, or all if there are fewer.
func last(products []Product, n int) []Product {
	if len(products) <= n {
		return products
	}
	return products[len(products)-n:]
}

// first returns the first n products, or all if there are fewer.
func first(products []Product, n int) []Product {
	return products[:n]
}

// order takes an order.
func (s *Shop) order(w http.ResponseWriter, r *http.Request) {
	var o Order
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<16)).Decode(&o); err != nil {
		http.Error(w, "no order: "+err.Error(), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.customers[o.Customer]
	if c == nil {
		http.Error(w, "no such customer", http.StatusNotFound)
		return
	}
	c.Orders = append(c.Orders, o)
	s.count(o)
	reply(w, map[string]any{"orders": len(c.Orders)})
}

// count adds an order to the sales.
func (s *Shop) count(o Order) {
	for _, l := range o.Lines {
		s.sold[l.Product] += l.Count
	}
}

// customer answers with a customer and the number of their orders.
func (s *Shop) customer(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.Atoi(r.PathValue("id"))
	if err != nil {
		http.Error(w, "no such customer", http.StatusNotFound)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.customers[id]
	reply(w, map[string]any{"name": c.Name, "orders": len(c.Orders)})
}

// report answers with the sales.
func (s *Shop) report(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	reply(w, s.sold)
}

func reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(v); err != nil {
		fmt.Println("reply:", err)
	}
}
