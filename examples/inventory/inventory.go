package main

import (
	"fmt"
	"maps"
	"slices"
)

// Item is one kind of goods in stock.
type Item struct {
	SKU      string // the stock keeping unit, unique in a warehouse
	Name     string
	Quantity int
}

// Delivery is goods that a supplier brings.
type Delivery struct {
	SKU, Name, Supplier string
	Quantity            int
}

// Shipment is goods that leave.
type Shipment struct {
	SKU      string
	Quantity int
}

// Inventory is the stock of one location. It is not safe for concurrent use.
type Inventory struct {
	Location string
	reserve  int // a stock below this is to be ordered again
	items    map[string]*Item
	// bySupplier holds the SKUs that each supplier ever delivered, each once.
	bySupplier map[string][]string
}

// NewInventory returns an empty inventory that wants reserve pieces of each
// item to stay in stock.
func NewInventory(location string, reserve int) *Inventory {
	return &Inventory{
		Location: location,
		reserve:  reserve,
		items:    make(map[string]*Item),
	}
}

// Receive adds a delivery to the stock.
func (inv *Inventory) Receive(d Delivery) error {
	if d.Quantity <= 0 {
		return fmt.Errorf("receive %q: quantity %d", d.SKU, d.Quantity)
	}
	item, known := inv.items[d.SKU]
	if !known {
		item = &Item{SKU: d.SKU, Name: d.Name}
		inv.items[d.SKU] = item
	}
	item.Quantity += d.Quantity
	inv.remember(d.Supplier, d.SKU)
	return nil
}

// Ship takes a shipment out of the stock, all of it or nothing.
func (inv *Inventory) Ship(s Shipment) error {
	item, known := inv.items[s.SKU]
	if !known {
		return fmt.Errorf("ship %q: not in stock", s.SKU)
	}
	if item.Quantity < s.Quantity {
		return fmt.Errorf("ship %q: want %d, have %d", s.SKU, s.Quantity, item.Quantity)
	}
	item.Quantity -= s.Quantity
	return nil
}

// Items returns what is in stock, ordered by SKU.
func (inv *Inventory) Items() []Item {
	var items []Item
	for _, sku := range slices.Sorted(maps.Keys(inv.items)) {
		items = append(items, *inv.items[sku])
	}
	return items
}

// RunningLow returns the SKUs whose stock fell below the reserve, ordered.
func (inv *Inventory) RunningLow() []string {
	var low []string
	for _, item := range inv.Items() {
		if item.Quantity < inv.reserve {
			low = append(low, item.SKU)
		}
	}
	return low
}
