package main

// Customer is someone who buys.
type Customer struct {
	ID   int    `json:"id"`
	Name string `json:"name"`
	City string `json:"city"`
}

// Line is one row of an order.
type Line struct {
	Article string `json:"article"`
	Count   int    `json:"count"`
	Cents   int    `json:"cents"` // for one piece
}

// Order is what a customer bought at one time.
type Order struct {
	ID         int    `json:"id"`
	CustomerID int    `json:"customer_id"`
	Lines      []Line `json:"lines"`
}

// Total returns the sum of all lines in cents.
func (o *Order) Total() int {
	sum := 0
	for _, line := range o.Lines {
		sum += line.Count * line.Cents
	}
	return sum
}

// Store holds the shop's records. It only reads them, so that any number of
// requests may use it at once.
type Store struct {
	customers map[int]*Customer
	orders    map[int]*Order
}

// NewStore returns a store with the records of the last nightly import.
func NewStore() *Store {
	s := &Store{customers: make(map[int]*Customer), orders: make(map[int]*Order)}
	for _, c := range []*Customer{
		{ID: 7, Name: "Ines Duarte", City: "Porto"},
		{ID: 9, Name: "Kofi Mensah", City: "Accra"},
	} {
		s.customers[c.ID] = c
	}
	for _, o := range []*Order{
		{ID: 1001, CustomerID: 7, Lines: []Line{{"kettle", 1, 4900}, {"cup", 4, 750}}},
		{ID: 1002, CustomerID: 9, Lines: []Line{{"lamp", 2, 3200}}},
		{ID: 1003, CustomerID: 8, Lines: []Line{{"cup", 12, 750}}},
	} {
		s.orders[o.ID] = o
	}
	return s
}

// Customer returns the customer with the given ID, or nil when there is none
// (customers may ask to be forgotten; their orders are kept for the books).
func (s *Store) Customer(id int) *Customer { return s.customers[id] }

// Order returns the order with the given ID, or nil when there is none.
func (s *Store) Order(id int) *Order { return s.orders[id] }
