package ollama_test

import (
	"testing"
	"time"

	"github.com/pausetui/pausetui/llm/ollama"
	"github.com/pausetui/pausetui/llm/wire/wiretest"
)

func FuzzStream(f *testing.F) {
	f.Add([]byte(`{"message":{"role":"assistant","content":"the map"},"done":false}` + "\n" + `{"message":{"content":" is nil"},"done":true,"done_reason":"stop"}` + "\n"))
	f.Add([]byte(`{"error":"no such model"}`))
	f.Add([]byte("{\"message\":{\"content\":\"\x1b[2J\"}}\n{\"message\":{\"thinking\":\"<think>\"}}\n[[[["))
	wiretest.FuzzStream(f, wiretest.Server{Stream: "/api/chat", Model: "m:7b",
		Other: `{"details":{"family":"qwen3"},"capabilities":["completion"],"models":[{"name":"m:7b","model":"m:7b"}]}`,
		New: func(url string) (wiretest.Opener, error) {
			return ollama.New(ollama.Options{Host: url, Stall: time.Second, FirstToken: time.Second, Total: 5 * time.Second})
		}})
}
