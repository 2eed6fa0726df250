package openai

import (
	"encoding/json"
	"slices"

	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/llm/wire"
)

// extras are what some servers say about a model in addition to its name. Nothing of it
// is in OpenAI's protocol.
type extras struct {
	MaxModelLen   int      `json:"max_model_len"`        // vLLM
	ContextLength int      `json:"context_length"`       // OpenRouter, Together
	ContextWindow int      `json:"context_window"`       // Groq
	MaxContext    int      `json:"max_context_length"`   // LM Studio
	Parameters    []string `json:"supported_parameters"` // OpenRouter
	Meta          struct {
		Trained int   `json:"n_ctx_train"` // llama.cpp
		Size    int64 `json:"size"`
	} `json:"meta"`
}

// describe says what is known of a model from its entry in the server's list,
// which may be an empty object.
func (p *Provider) describe(name string, entry []byte) llm.Info {
	info := llm.Info{Provider: p.options.Name, Name: name, Remote: !wire.Loopback(p.base.Hostname())}
	var e extras
	if json.Unmarshal(entry, &e) != nil {
		return info // fields of another kind: then nothing is known
	}
	for _, n := range []int{e.MaxModelLen, e.ContextLength, e.ContextWindow, e.MaxContext, e.Meta.Trained} {
		if n > 0 {
			info.Context = n
			break
		}
	}
	info.Size = max(e.Meta.Size, 0)
	if len(e.Parameters) > 0 {
		info.Capabilities = []string{llm.Completion}
		if slices.Contains(e.Parameters, "tools") {
			info.Capabilities = append(info.Capabilities, llm.Tools)
		}
		if slices.Contains(e.Parameters, "reasoning") {
			info.Capabilities = append(info.Capabilities, llm.Thinking)
		}
	}
	return info
}
