package prompts

import (
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/prompts/redact"
)

// Hidden is something that was taken out of a prompt.
type Hidden struct {
	Section string // key of the section it was in; "message" for the message of the panic
	redact.Finding
}

// Redact takes secrets out of a text, by their shape and by the values of this
// process's environment. It returns how many it found; each leaves
// "[redacted xxxxxx]".
func Redact(text string) (string, int) {
	text, found := defaultRedactor(nil).Text(text)
	return text, len(found)
}

// defaultRedactor is used if no settings say what to hide; env is that of this
// process when nil.
func defaultRedactor(env []string) *redact.Redactor {
	if env == nil {
		env = os.Environ()
	}
	return redact.New(redact.Settings{Entropy: true}, env)
}

// Screen is between a stop and a model: it hides the values that the
// configuration names, and secrets in every text. What the strings of hidden
// values say is hidden in texts, too: a message may repeat them. It is safe for
// concurrent use.
type Screen struct {
	mu       sync.Mutex
	redactor *redact.Redactor // as given
	with     *redact.Redactor // with what is remembered; nil when there is more by now
	strings  []string         // of hidden values
	secrets  []string         // of earlier texts
	random   []string         // of earlier texts: what only looks like a secret
	short    []string         // of earlier texts: hidden in what comes of a fix
	keys     []string         // expressions of values that are keys by their types
}

// NewScreen returns a screen that hides what a redactor finds.
func NewScreen(r *redact.Redactor) *Screen { return &Screen{redactor: r} }

// Options are OptionsFor a model that gets what this screen lets through.
func (s *Screen) Options(context int) Options {
	o := OptionsFor(context)
	o.Screen = s
	return o
}

// Text takes secrets out of a text, also those that it has found in earlier
// ones, and breaks the markers of chat templates up.
func (s *Screen) Text(text string) (string, []redact.Finding) {
	text, found := s.secretless(text)
	return breakUp(text, false), found
}

func (s *Screen) secretless(text string) (string, []redact.Finding) {
	s.learn(text)
	return s.current().Text(text)
}

// Secretless is Plain for what goes to no model: markers of chat templates stay.
func (s *Screen) Secretless(text string) string {
	text, _ = s.secretless(text)
	return text
}

// Learn has the secrets of a text be hidden in all others, those before it as well: what is
// given to a password's name in one text stands without the name in another.
func (s *Screen) Learn(text string) {
	if !s.redactor.HidesNothing() {
		s.learn(text)
	}
}

// HiddenIn are the parts of a text that are hidden, in order: where they begin and end.
func (s *Screen) HiddenIn(text string) [][2]int {
	s.Learn(text)
	return s.current().Hidden(text)
}

// Lines are the lines of a whole source file without what Text hides in it, by their numbers: by
// itself, a part of the file may not say that something is a secret. Lines within one are left out.
func (s *Screen) Lines(text string) map[int]string {
	s.Learn(text)
	return s.current().Lines(text)
}

func (s *Screen) learn(text string) {
	found := s.redactor.Secrets(text)
	s.remember(&s.secrets, found.Secrets)
	s.remember(&s.random, found.Random)
	s.remember(&s.short, found.Short)
}

// OfFix is Text for what comes of a fix: its changes, what is said of them. A fix may put a secret
// where nothing tells it, or into a longer text, and a compiler shows it there: so the short ones
// are hidden, too.
func (s *Screen) OfFix(text string) (string, []redact.Finding) {
	s.learn(text)
	current := s.current()
	s.mu.Lock()
	short := slices.Clone(s.short)
	s.mu.Unlock()
	text, found := current.With("secret, as found elsewhere", short).Text(text)
	return breakUp(text, false), found
}

// Plain is Text without the findings.
func (s *Screen) Plain(text string) string {
	text, _ = s.Text(text)
	return text
}

// Messages takes secrets out of messages, as they are about to be sent.
func (s *Screen) Messages(messages []llm.Message) []llm.Message {
	out := slices.Clone(messages)
	for i, m := range out {
		if m.Role == "assistant" {
			text, _ := s.secretless(m.Text)
			out[i].Text = breakUp(text, true)
		} else {
			out[i].Text = s.Plain(m.Text)
		}
		out[i].Calls = slices.Clone(m.Calls)
		for k, call := range m.Calls {
			out[i].Calls[k].Arguments, _ = s.data(call.Arguments).(map[string]any)
		}
	}
	return out
}

// data takes secrets out of the strings of what a model wrote as JSON.
func (s *Screen) data(v any) any {
	switch v := v.(type) {
	case string:
		return s.Plain(v)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = s.data(v[i])
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, x := range v {
			out[k] = s.data(x)
		}
		return out
	}
	return v
}

func (s *Screen) current() *redact.Redactor {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.with == nil {
		s.with = s.redactor.With("part of a hidden value", s.strings).With("secret, as found elsewhere", slices.Concat(s.secrets, s.random))
	}
	return s.with
}

// rememberSecret hides a secret wherever it stands. A short word or number, which may mean
// something else there, is hidden only in what is said of a fix.
func (s *Screen) rememberSecret(text string) {
	list := &s.short
	if redact.Repeated(text) {
		list = &s.secrets
	}
	s.remember(list, []string{text})
}

// remember notes texts that are hidden wherever they stand.
func (s *Screen) remember(list *[]string, texts []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	most := maxHiddenStrings
	if list == &s.random {
		most = maxRandomStrings
	}
	for _, t := range texts {
		if t = strings.TrimSpace(t); t != "" && len(*list) < most && !slices.Contains(*list, t) {
			*list, s.with = append(*list, t), nil
		}
	}
}

// Bounds of how many texts of each kind are remembered. What only looks random, as each
// request of a server may have some, takes no room from what is a secret by its name.
const (
	maxHiddenStrings = 2000
	maxRandomStrings = 500
)
