package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"example.org/stockroom/internal/domain"
	"example.org/stockroom/internal/service"
	"example.org/stockroom/internal/storage"
)

func parseOrder(args []string) ([]service.OrderLine, error) {
	lines := make([]service.OrderLine, 0, len(args))
	for _, arg := range args {
		sku, count, found := strings.Cut(arg, "=")
		if !found {
			count = "1"
		}
		qty, err := strconv.Atoi(count)
		if err != nil {
			return nil, fmt.Errorf("bad order line %q: %w", arg, err)
		}
		lines = append(lines, service.OrderLine{SKU: domain.SKU(sku), Qty: qty})
	}
	return lines, nil
}

func run(args []string) error {
	repository := storage.NewMemoryRepository(
		domain.NewProduct("BOLT-M6", "Bolt M6", 12).WithBulk(100, 15),
		domain.NewProduct("NUT-M6", "Nut M6", 7).WithBulk(200, 20),
		domain.NewProduct("HAMMER", "Claw hammer", 1899),
	)
	quoter := service.NewQuoter(
		repository,
		service.WithTrace(os.Stdout),
		service.WithMaxLines(20),
	)
	lines, err := parseOrder(args)
	if err != nil {
		return err
	}
	quote, err := quoter.Quote(lines)
	if err != nil {
		return err
	}
	fmt.Printf("TOTAL %s\n", quote.Total)
	for _, reason := range quote.Rejected {
		fmt.Println("rejected", reason)
	}
	return nil
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "stockroom:", err)
		os.Exit(1)
	}
}
