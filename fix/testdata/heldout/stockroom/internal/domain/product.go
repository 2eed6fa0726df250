// Package domain contains the core business entities of the stockroom.
package domain

import (
	"errors"
	"fmt"
)

// ErrInvalidQuantity is returned when a quantity is not positive.
var ErrInvalidQuantity = errors.New("invalid quantity")

// SKU identifies a product.
type SKU string

// Cents is an amount of money.
type Cents int64

// String implements fmt.Stringer.
func (c Cents) String() string { return fmt.Sprintf("$%d.%02d", c/100, c%100) }

// Product is a sellable article.
type Product struct {
	sku        SKU
	title      string
	unitPrice  Cents
	bulkFrom   int
	bulkRebate int
}

// NewProduct creates a Product.
func NewProduct(sku SKU, title string, price Cents) *Product {
	return &Product{sku: sku, title: title, unitPrice: price}
}

// WithBulk configures a rebate in percent from a given quantity on.
func (p *Product) WithBulk(from, percent int) *Product {
	p.bulkFrom, p.bulkRebate = from, percent
	return p
}

// SKU returns the identifier of the product.
func (p *Product) SKU() SKU { return p.sku }

// Title returns the display title of the product.
func (p *Product) Title() string { return p.title }

// PriceFor computes the price of qty units.
func (p *Product) PriceFor(qty int) (Cents, error) {
	if qty <= 0 {
		return 0, fmt.Errorf("%w: %d", ErrInvalidQuantity, qty)
	}
	total := p.unitPrice * Cents(qty)
	if p.bulkFrom > 0 && qty >= p.bulkFrom {
		total -= total * Cents(p.bulkRebate) / 100
	}
	return total, nil
}
