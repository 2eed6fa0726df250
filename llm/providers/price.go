package providers

import (
	"context"
	"strings"

	"github.com/pausetui/pausetui/llm"
)

// priced counts what the answers of a provider's models cost.
type priced struct {
	llm.Provider
	prices map[string]Price
}

// Unwrap returns the provider that does not count.
func (p priced) Unwrap() llm.Provider { return p.Provider }

// Open implements llm.Provider.
func (p priced) Open(ctx context.Context, name string) (llm.Model, error) {
	m, err := p.Provider.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	if price, ok := priceOf(p.prices, name); ok {
		return pricedModel{m, price}, nil
	}
	return m, nil
}

// priceOf finds the price of a model: by its name, else by the longest prefix
// with a star.
func priceOf(prices map[string]Price, name string) (Price, bool) {
	if price, ok := prices[name]; ok {
		return price, true
	}
	best, longest := Price{}, -1
	for pattern, price := range prices {
		prefix, star := strings.CutSuffix(pattern, "*")
		if star && strings.HasPrefix(name, prefix) && len(prefix) > longest {
			best, longest = price, len(prefix)
		}
	}
	return best, longest >= 0
}

type pricedModel struct {
	llm.Model
	price Price
}

// Complete implements llm.Model.
func (m pricedModel) Complete(ctx context.Context, r llm.Request, onText func(string)) (llm.Answer, error) {
	answer, err := m.Model.Complete(ctx, r, onText)
	answer.Cost = (float64(answer.PromptTokens)*m.price.Prompt + float64(answer.Tokens)*m.price.Answer) / 1e6
	return answer, err
}
