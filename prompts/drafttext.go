package prompts

import (
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/llm"
)

// MessagesText writes messages as one text that a person can read and edit:
// each under a line with its role. ParseMessages reads it back.
func MessagesText(messages []llm.Message) string {
	var b strings.Builder
	for _, m := range messages {
		b.WriteString("=== " + m.Role + " ===\n" + strings.TrimRight(m.Text, "\n") + "\n")
	}
	return b.String()
}

var roleLine = lazyregexp.New(`(?m)^=== (system|user|assistant) ===[ \t]*\n?`)

// ParseMessages reads messages from a text as MessagesText writes it. What
// is before the first line with a role, or in a text without any, is the
// user's. Empty messages are left out.
func ParseMessages(text string) []llm.Message {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	var list []llm.Message
	add := func(role, text string) {
		if text = strings.TrimSpace(text); text != "" {
			list = append(list, llm.Message{Role: role, Text: text})
		}
	}
	role, from := "user", 0
	for _, m := range roleLine.FindAllStringSubmatchIndex(text, -1) {
		add(role, text[from:m[0]])
		role, from = text[m[2]:m[3]], m[1]
	}
	add(role, text[from:])
	return list
}

// Text is what is sent, as MessagesText writes it; the error's words when it
// cannot be rendered.
func (d Draft) Text() string {
	messages, err := d.Messages()
	if err != nil {
		return err.Error()
	}
	return MessagesText(messages)
}

// WithText returns the draft with messages as a person edited them in such a text.
func (d Draft) WithText(text string) Draft { return d.With(ParseMessages(text)) }
