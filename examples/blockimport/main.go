// Command blockimport imports the orders of three shops in five blocks of work,
// which it names with package pause.
//
//	read      the files
//	parse     each file, several at a time, each in a block of its own
//	check     that no order is there twice
//	sum       by customer
//	report    the totals
//
// Each block says so when it runs.
//
// The lesson: the fourth block fails. Once it is fixed, the first three are not
// run again: the work continues where it failed.
//
//	pausetui debug ./examples/blockimport
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/pausetui/pausetui/pause"
)

func main() {
	pause.Guard()
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "blockimport:", err)
		os.Exit(1)
	}
}

// run imports all files.
func run(ctx context.Context) error {
	files, err := pause.Run(ctx, "read", "Read the export of each shop", readFiles)
	if err != nil {
		return err
	}
	orders, err := pause.Run(ctx, "parse", "Parse the exports, all at the same time",
		func(ctx context.Context) ([]Order, error) { return parseAll(ctx, files) }, pause.Inputs(files))
	if err != nil {
		return err
	}
	orders, err = pause.Run(ctx, "check", "Refuse an import that has an order twice",
		func(context.Context) ([]Order, error) { return checkOrders(orders) }, pause.Inputs(orders))
	if err != nil {
		return err
	}
	totals, err := pause.Run(ctx, "sum", "Sum the orders of each customer",
		func(ctx context.Context) (map[string]int, error) { return sumOrders(ctx, orders) }, pause.Inputs(orders))
	if err != nil {
		return err
	}
	_, err = pause.Run(ctx, "report", "Print the customers and what they spent",
		func(context.Context) (int, error) { return report(totals) }, pause.Always())
	return err
}
