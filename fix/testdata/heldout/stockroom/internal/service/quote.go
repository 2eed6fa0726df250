// Package service contains the application services.
package service

import (
	"fmt"
	"io"

	"example.org/stockroom/internal/domain"
	"example.org/stockroom/internal/storage"
)

// OrderLine is a single requested position.
type OrderLine struct {
	SKU domain.SKU
	Qty int
}

// Quoter produces quotes for orders.
type Quoter interface {
	Quote(lines []OrderLine) (*Quote, error)
}

// Quote is the outcome of a quoting run.
type Quote struct {
	Total    domain.Cents
	Rejected []string
}

// Option customises a Quoter.
type Option func(*quoteService)

// WithTrace writes each priced line to w.
func WithTrace(w io.Writer) Option {
	return func(s *quoteService) { s.trace = w }
}

// WithMaxLines restricts the number of lines accepted per order.
func WithMaxLines(n int) Option {
	return func(s *quoteService) { s.maxLines = n }
}

type quoteService struct {
	repo     storage.ProductRepository
	trace    io.Writer
	maxLines int
}

// NewQuoter wires a Quoter.
func NewQuoter(repo storage.ProductRepository, opts ...Option) Quoter {
	s := &quoteService{repo: repo, trace: io.Discard, maxLines: 10}
	for _, apply := range opts {
		apply(s)
	}
	return s
}

// Quote implements Quoter.
func (s *quoteService) Quote(lines []OrderLine) (*Quote, error) {
	if len(lines) > s.maxLines {
		return nil, fmt.Errorf("order has %d lines, limit is %d", len(lines), s.maxLines)
	}
	quote := &Quote{}
	for _, line := range lines {
		product, _ := s.repo.FindBySKU(line.SKU)
		price, err := product.PriceFor(line.Qty)
		if err != nil {
			quote.Rejected = append(quote.Rejected, fmt.Sprintf("%s: %v", line.SKU, err))
			continue
		}
		fmt.Fprintf(s.trace, "%-18s x%-3d %10s\n", product.Title(), line.Qty, price)
		quote.Total += price
	}
	return quote, nil
}
