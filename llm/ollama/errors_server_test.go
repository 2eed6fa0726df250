package ollama

import (
	"errors"
	"testing"

	"github.com/pausetui/pausetui/llm"
)

// A server that fails says nothing of its model.
func TestAServerThatFails(t *testing.T) {
	for want, list := range map[bool][]ServerError{
		true:  {{Status: 500, Message: "llama runner process has terminated"}, {Message: "unexpected EOF"}},
		false: {{Status: 400, Message: "invalid options"}, {Status: 500, Message: "error parsing tool call: raw='{'"}},
	} {
		for _, e := range list {
			if got := errors.Is(&e, llm.ErrServer); got != want {
				t.Errorf("%v: %v", &e, got)
			}
		}
	}
}
