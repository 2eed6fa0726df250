package main

import (
	"maps"
	"slices"
)

// remember notes that a supplier delivers an item.
func (inv *Inventory) remember(supplier, sku string) {
	if slices.Contains(inv.bySupplier[supplier], sku) {
		return
	}
	inv.bySupplier[supplier] = append(inv.bySupplier[supplier], sku)
}

// Suppliers returns the names of everyone who ever delivered, ordered.
func (inv *Inventory) Suppliers() []string {
	return slices.Sorted(maps.Keys(inv.bySupplier))
}

// DeliveredBy returns the SKUs that a supplier delivered, in order of their
// first delivery. It is nil for a supplier who never did.
func (inv *Inventory) DeliveredBy(supplier string) []string {
	return slices.Clone(inv.bySupplier[supplier])
}
