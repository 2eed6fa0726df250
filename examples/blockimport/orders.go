package main

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/pausetui/pausetui/pause"
)

// Order is one line of an export.
type Order struct {
	ID       int
	Customer string
	Cents    int
}

// parseAll parses all files at the same time.
func parseAll(ctx context.Context, files []File) ([]Order, error) {
	parsed := make([][]Order, len(files))
	failed := make([]error, len(files))
	var all sync.WaitGroup
	for i, file := range files {
		all.Go(func() {
			parsed[i], failed[i] = pause.Run(ctx, "file", "Parse the export of one shop",
				func(context.Context) ([]Order, error) { return parseFile(file) }, pause.Inputs(file))
		})
	}
	all.Wait()
	return slices.Concat(parsed...), errors.Join(failed...)
}

// parseFile reads lines of "id,customer,cents".
func parseFile(file File) ([]Order, error) {
	fmt.Println("parse:", file.Name)
	rows, err := csv.NewReader(strings.NewReader(file.Text)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file.Name, err)
	}
	var orders []Order
	for _, row := range rows {
		id, err1 := strconv.Atoi(row[0])
		cents, err2 := strconv.Atoi(row[2])
		if err := errors.Join(err1, err2); err != nil {
			return nil, fmt.Errorf("%s: %w", file.Name, err)
		}
		orders = append(orders, Order{id, row[1], cents})
	}
	return orders, nil
}

// checkOrders returns the orders, or an error that names one that is there twice.
func checkOrders(orders []Order) ([]Order, error) {
	fmt.Println("check:", len(orders), "orders")
	seen := map[int]bool{}
	for _, o := range orders {
		if seen[o.ID] {
			return nil, fmt.Errorf("order %d is there twice", o.ID)
		}
		seen[o.ID] = true
	}
	return orders, nil
}

// sumOrders returns what each customer has spent, in cents.
func sumOrders(ctx context.Context, orders []Order) (map[string]int, error) {
	fmt.Println("sum: by customer")
	count, err := pause.Run(ctx, "customers", "Count the customers", func(context.Context) (int, error) {
		fmt.Println("customers: count")
		names := map[string]bool{}
		for _, o := range orders {
			names[o.Customer] = true
		}
		return len(names), nil
	}, pause.Inputs(orders))
	if err != nil {
		return nil, err
	}
	var totals map[string]int
	for _, o := range orders {
		totals[o.Customer] += o.Cents
	}
	if len(totals) != count {
		return nil, fmt.Errorf("%d customers have totals, want %d", len(totals), count)
	}
	return totals, nil
}

// report prints the totals by name, and returns how many there are.
func report(totals map[string]int) (int, error) {
	for _, name := range slices.Sorted(maps.Keys(totals)) {
		fmt.Printf("%-10s %7.2f\n", name, float64(totals[name])/100)
	}
	return len(totals), nil
}
