// Package storage provides repository implementations.
package storage

import "example.org/stockroom/internal/domain"

// ProductRepository gives access to products.
type ProductRepository interface {
	Save(p *domain.Product)
	FindBySKU(sku domain.SKU) (*domain.Product, bool)
}

type memoryRepository struct {
	items map[domain.SKU]*domain.Product
}

// NewMemoryRepository returns an in-memory ProductRepository.
func NewMemoryRepository(seed ...*domain.Product) ProductRepository {
	r := &memoryRepository{items: make(map[domain.SKU]*domain.Product, len(seed))}
	for _, p := range seed {
		r.Save(p)
	}
	return r
}

func (r *memoryRepository) Save(p *domain.Product) { r.items[p.SKU()] = p }

func (r *memoryRepository) FindBySKU(sku domain.SKU) (*domain.Product, bool) {
	p, ok := r.items[sku]
	return p, ok
}
