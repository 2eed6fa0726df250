package prompts

import (
	"reflect"
	"testing"

	"github.com/pausetui/pausetui/llm"
)

func TestMessagesAsTextAndBack(t *testing.T) {
	for _, list := range [][]llm.Message{
		{{Role: "system", Text: "Mend."}, {Role: "user", Text: "## The stop\n\n```go\nx := 1\n```\n=== not a role ===\nend"}},
		{{Role: "user", Text: "one"}, {Role: "assistant", Text: "two"}, {Role: "user", Text: "three"}},
		nil,
	} {
		if got := ParseMessages(MessagesText(list)); !reflect.DeepEqual(got, list) {
			t.Errorf("%q came back as %q", list, got)
		}
	}
	if got := ParseMessages("only words\r\n"); !reflect.DeepEqual(got, []llm.Message{{Role: "user", Text: "only words"}}) {
		t.Errorf("got %q", got)
	}
}
