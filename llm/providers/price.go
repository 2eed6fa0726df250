package providers

import (
	"context"

	"github.com/pausetui/pausetui/internal/glob"
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

// priceOf finds the price of a model: the longest pattern that matches counts.
func priceOf(prices map[string]Price, name string) (Price, bool) {
	best, found := "", false
	for pattern := range prices {
		longer := len(pattern) > len(best) || len(pattern) == len(best) && pattern > best
		if glob.Match(pattern, name) && (!found || longer) {
			best, found = pattern, true
		}
	}
	return prices[best], found
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
