package openai_test

import (
	"testing"
	"time"

	"github.com/pausetui/pausetui/llm/openai"
	"github.com/pausetui/pausetui/llm/wire/wiretest"
)

func FuzzStream(f *testing.F) {
	f.Add([]byte("data: {\"choices\":[{\"delta\":{\"content\":\"the map is nil\"}}]}\n\ndata: [DONE]\n\n"))
	f.Add([]byte("event: x\ndata: {\"error\":{\"message\":\"no\"}}\n\n"))
	f.Add([]byte(": ping\r\ndata:{\"choices\":[]}\ndata: [[[\n\nretry: 9999999999999999999\n\n"))
	wiretest.FuzzStream(f, wiretest.Server{Stream: "/chat/completions", Model: "m",
		Other: `{"object":"list","data":[{"id":"m","object":"model"}]}`,
		New: func(url string) (wiretest.Opener, error) {
			return openai.New(openai.Options{BaseURL: url, Stall: time.Second, FirstToken: time.Second, Total: 5 * time.Second})
		}})
}
