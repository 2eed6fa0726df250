package ollama

import (
	"context"
	"fmt"

	"github.com/ollama/ollama/api"

	"github.com/pausetui/pausetui/llm"
)

// Describe says what the server knows of a model beyond its list: the context
// and the capabilities. It fails with llm.ErrUnknownModel.
func (p *Provider) Describe(ctx context.Context, name string) (llm.Info, error) {
	waiting, cancel := context.WithTimeout(ctx, p.options.Answer)
	defer cancel()
	shown, err := p.client.Show(waiting, &api.ShowRequest{Model: name})
	if err != nil {
		return llm.Info{}, fmt.Errorf("describe model %q: %w", name, p.explain(ctx, err))
	}
	return p.shown(name, shown), nil
}
