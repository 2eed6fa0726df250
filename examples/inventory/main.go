// Command inventory books the deliveries and shipments of a small warehouse
// and prints what is in stock, what each supplier delivers, and what is to be
// ordered again.
//
// The lesson: where a program stops is often not where it went wrong, and the
// paused values lead from one place to the other.
//
//	pausetui debug ./examples/inventory
package main

import (
	"fmt"
	"os"
	"strings"
)

// deliveries are the day's incoming goods, in the order they arrived.
var deliveries = []Delivery{
	{SKU: "BOLT-M6", Name: "hex bolt M6", Supplier: "Norrland Steel", Quantity: 500},
	{SKU: "NUT-M6", Name: "hex nut M6", Supplier: "Norrland Steel", Quantity: 450},
	{SKU: "BELT-V2", Name: "drive belt V2", Supplier: "Gummiwerk", Quantity: 30},
	{SKU: "BOLT-M6", Name: "hex bolt M6", Supplier: "Fastener House", Quantity: 200},
	{SKU: "LAMP-E27", Name: "signal lamp E27", Supplier: "Lumen & Co", Quantity: 12},
}

// shipments are the day's outgoing goods.
var shipments = []Shipment{
	{SKU: "BOLT-M6", Quantity: 350},
	{SKU: "BELT-V2", Quantity: 25},
	{SKU: "LAMP-E27", Quantity: 20},
	{SKU: "NUT-M6", Quantity: 90},
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "inventory:", err)
		os.Exit(1)
	}
}

// run books the day and prints the report.
func run() error {
	inv := NewInventory("Hall 3", 10)
	for _, d := range deliveries {
		if err := inv.Receive(d); err != nil {
			return err
		}
	}
	for _, s := range shipments {
		// A shipment that cannot be filled waits for the next day.
		if err := inv.Ship(s); err != nil {
			fmt.Println("postponed:", err)
		}
	}
	report(inv)
	return nil
}

// report prints the stock, the suppliers and the goods that run low.
func report(inv *Inventory) {
	fmt.Printf("stock of %s\n", inv.Location)
	for _, item := range inv.Items() {
		fmt.Printf("  %-10s %4d  %s\n", item.SKU, item.Quantity, item.Name)
	}
	fmt.Println("suppliers")
	for _, name := range inv.Suppliers() {
		fmt.Printf("  %-15s %s\n", name, strings.Join(inv.DeliveredBy(name), " "))
	}
	fmt.Println("order again:", strings.Join(inv.RunningLow(), " "))
}
