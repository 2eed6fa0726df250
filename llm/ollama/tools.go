package ollama

import (
	"encoding/json"
	"fmt"

	"github.com/ollama/ollama/api"

	"github.com/pausetui/pausetui/llm"
)

const (
	// maxCalls bounds the tools that one answer may ask for.
	maxCalls = 32
	// maxArguments bounds all their arguments together, in bytes.
	maxArguments = 256 << 10
)

// message says a turn in the server's words.
func message(m llm.Message) api.Message {
	out := api.Message{Role: m.Role, Content: m.Text, ToolName: m.Tool, ToolCallID: m.CallID}
	for i, c := range m.Calls {
		call := api.ToolCall{ID: c.ID, Function: api.ToolCallFunction{Index: i, Name: c.Name, Arguments: api.NewToolCallFunctionArguments()}}
		for key, value := range c.Arguments {
			call.Function.Arguments.Set(key, value)
		}
		out.ToolCalls = append(out.ToolCalls, call)
	}
	return out
}

// tools says the tools in the server's words.
func tools(list []llm.Tool) (api.Tools, error) {
	var out api.Tools
	for _, t := range list {
		tool := api.Tool{Type: "function", Function: api.ToolFunction{Name: t.Name, Description: t.Description}}
		schema, err := json.Marshal(t.Parameters)
		if err == nil {
			err = json.Unmarshal(schema, &tool.Function.Parameters)
		}
		if err != nil {
			return nil, fmt.Errorf("the parameters of the tool %q: %w", t.Name, err)
		}
		out = append(out, tool)
	}
	return out, nil
}

// calls collects the tools that an answer asks for.
type calls struct {
	list []llm.Call
	size int // bytes of arguments
}

func (c *calls) add(pieces []api.ToolCall) error {
	for _, p := range pieces {
		c.size += len(p.Function.Arguments.String()) + len(p.Function.Name) + len(p.ID)
		if len(c.list) == maxCalls || c.size > maxArguments {
			return fmt.Errorf("%w: over %d calls of tools or %d KiB of arguments", llm.ErrTooLong, maxCalls, maxArguments>>10)
		}
		c.list = append(c.list, llm.Call{ID: p.ID, Name: p.Function.Name, Arguments: p.Function.Arguments.ToMap()})
	}
	return nil
}

func messageBytes(list []llm.Message) int {
	size := 0
	for _, m := range list {
		size += len(m.Text)
		if len(m.Calls) > 0 {
			size += jsonBytes(m.Calls)
		}
	}
	return size
}

func toolBytes(list []llm.Tool) int {
	if len(list) == 0 {
		return 0
	}
	return jsonBytes(list)
}

// jsonBytes is the size of a value as JSON; 0 for one that has none, which the
// request then refuses.
func jsonBytes(v any) int {
	data, err := json.Marshal(v)
	if err != nil {
		return 0
	}
	return len(data)
}
