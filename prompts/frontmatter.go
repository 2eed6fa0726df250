package prompts

import (
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/llm"
)

// maxValue bounds a text of the front matter, in bytes.
const maxValue = 2000

// reader reads one profile's file and collects what is wrong with it.
type reader struct {
	p        *Profile
	text     string
	steps    int // of the part that is looked at
	mistakes Mistakes
}

// setter reads the value of a key.
type setter func(r *reader, key string, n *yaml.Node)

// keys are those of the front matter.
var keys = map[string]setter{
	"name":        (*reader).name,
	"description": func(r *reader, key string, n *yaml.Node) { r.p.Description = r.scalar(key, n) },
	"task":        func(r *reader, key string, n *yaml.Node) { r.p.Task = oneOf(r, key, n, Tasks) },
	"format":      func(r *reader, key string, n *yaml.Node) { r.p.Format = oneOf(r, key, n, Formats) },
	"needs":       func(r *reader, key string, n *yaml.Node) { r.p.Needs = r.amongst(key, n, SectionKeys) },
	"sections":    func(r *reader, key string, n *yaml.Node) { r.p.Shows = r.amongst(key, n, SectionKeys) },
	"offers": func(r *reader, key string, n *yaml.Node) {
		r.p.Offers = r.amongst(key, n, []string{llm.Tools, Scripts})
	},
	"families": func(r *reader, key string, n *yaml.Node) { r.p.Families = r.globs(key, n, nil) },
	"classes":  func(r *reader, key string, n *yaml.Node) { r.p.Classes = r.globs(key, n, classNames()) },
	"requires": func(r *reader, key string, n *yaml.Node) { r.mapping(key+".", n, requireKeys) },
	"options":  func(r *reader, key string, n *yaml.Node) { r.mapping(key+".", n, optionKeys) },
}

var requireKeys = map[string]setter{
	"capabilities": func(r *reader, key string, n *yaml.Node) {
		r.p.Requires.Capabilities = r.amongst(key, n, capabilities)
	},
	"parameters": (*reader).parameters,
	"context":    func(r *reader, key string, n *yaml.Node) { r.p.Requires.Context = r.count(key, n, 1<<24) },
}

var optionKeys = map[string]setter{
	"temperature": (*reader).temperature,
	"max_tokens":  func(r *reader, key string, n *yaml.Node) { r.p.Options.MaxTokens = r.count(key, n, 1<<17) },
	"seed":        func(r *reader, key string, n *yaml.Node) { r.p.Options.Seed = r.count(key, n, 1<<31-1) },
	"candidates":  func(r *reader, key string, n *yaml.Node) { r.p.Options.Candidates = r.count(key, n, 16) },
}

// capabilities are those that providers report.
var capabilities = []string{llm.Completion, llm.Tools, llm.Thinking, "insert", "vision", "embedding"}

func classNames() []string {
	var names []string
	for _, c := range []debugger.Class{debugger.NilMapWrite, debugger.NilDereference, debugger.IndexOutOfRange, debugger.SliceBounds,
		debugger.DivideByZero, debugger.TypeAssertion, debugger.ClosedChannel, debugger.NegativeWaitGroup, debugger.UnlockUnlocked,
		debugger.NegativeSize, debugger.Reflect, debugger.UnhashableKey, debugger.Uncomparable, debugger.IteratorContinued, debugger.CustomError, debugger.Custom, debugger.Deadlock, debugger.ConcurrentMap,
		debugger.StackOverflow, debugger.OutOfMemory, debugger.Fatal, debugger.TestFailure, debugger.ExitClass, debugger.SignalClass} {
		names = append(names, string(c))
	}
	return names
}

// head reads the front matter and returns where the body begins; false where
// that is unknown.
func (r *reader) head() (body int, ok bool) {
	if !strings.HasPrefix(r.text, "---\n") {
		return 0, true
	}
	head, _, ok := strings.Cut(r.text[3:], "\n---\n")
	if !ok {
		r.fault(1, "", `the front matter has no closing "---"`)
		return 0, false
	}
	body = 3 + len(head) + len("\n---\n")
	// The line of "---" stays empty, so that the parser counts lines as the
	// file does.
	var doc yaml.Node
	switch err := yaml.NewDecoder(strings.NewReader(head)).Decode(&doc); {
	case errors.Is(err, io.EOF), err == nil && blankNode(&doc):
	case err != nil:
		r.yamlFault(err)
	default:
		r.mapping("", doc.Content[0], keys)
	}
	return body, true
}

// blankNode reports whether a document holds nothing.
func blankNode(doc *yaml.Node) bool {
	return len(doc.Content) == 0 || doc.Content[0].Kind == yaml.ScalarNode && doc.Content[0].Tag == "!!null"
}

var yamlLine = lazyregexp.New(`(?s)line (\d+): (.*)`)

func (r *reader) yamlFault(err error) {
	line, text := 1, strings.TrimPrefix(err.Error(), "yaml: ")
	if m := yamlLine.FindStringSubmatch(text); m != nil {
		line, _ = strconv.Atoi(m[1])
		text = m[2]
	}
	r.fault(line, "", "%s", text)
}

// fault notes a mistake.
func (r *reader) fault(line int, key, format string, args ...any) {
	text := strings.Join(strings.Fields(manyLines(fmt.Sprintf(format, args...))), " ")
	r.mistakes = append(r.mistakes, Mistake{File: r.p.File, Line: max(line, 1), Key: key, Text: text})
}

// mapping reads the keys of a mapping, each once.
func (r *reader) mapping(prefix string, n *yaml.Node, known map[string]setter) {
	if n.Kind != yaml.MappingNode {
		r.fault(n.Line, strings.TrimSuffix(prefix, "."), "want keys with values, one a line: %s", strings.Join(sortedKeys(known), ", "))
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i].Value, n.Content[i+1]
		set, ok := known[key]
		switch {
		case !ok:
			r.fault(n.Content[i].Line, prefix+key, "unknown key; did you mean %q? (known: %s)", nearest(key, sortedKeys(known)), strings.Join(sortedKeys(known), ", "))
		case seen[key]:
			r.fault(n.Content[i].Line, prefix+key, "given twice")
		default:
			set(r, prefix+key, value)
		}
		seen[key] = true
	}
}

func sortedKeys(m map[string]setter) []string {
	list := make([]string, 0, len(m))
	for k := range m {
		list = append(list, k)
	}
	slices.Sort(list)
	return list
}

// scalar reads a text of one line.
func (r *reader) scalar(key string, n *yaml.Node) string {
	switch {
	case n.Kind != yaml.ScalarNode:
		r.fault(n.Line, key, "want a single value")
	case len(n.Value) > maxValue:
		r.fault(n.Line, key, "longer than %d bytes", maxValue)
	default:
		return strings.TrimSpace(n.Value)
	}
	return ""
}

var profileName = lazyregexp.New(`^[\pL\pN][\pL\pN._-]*$`)

func (r *reader) name(key string, n *yaml.Node) {
	name := r.scalar(key, n)
	if name == "" {
		return
	}
	if !profileName.MatchString(name) || len(name) > 100 {
		r.fault(n.Line, key, "%q: want letters, digits, '-', '_' and '.', beginning with a letter or digit", name)
		return
	}
	r.p.Name = name
}

// oneOf reads one of a few values.
func oneOf[S ~string](r *reader, key string, n *yaml.Node, values []S) S {
	got := S(r.scalar(key, n))
	if slices.Contains(values, got) {
		return got
	}
	if n.Kind == yaml.ScalarNode {
		r.fault(n.Line, key, "no such value %q; did you mean %q? (one of %s)", got, nearest(string(got), values), join(values))
	}
	return values[0]
}

func join[S ~string](values []S) string {
	var b strings.Builder
	for i, v := range values {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(string(v))
	}
	return b.String()
}

// list reads one word or a list of words.
func (r *reader) list(key string, n *yaml.Node) []*yaml.Node {
	switch n.Kind {
	case yaml.ScalarNode:
		if n.Tag == "!!null" {
			return nil
		}
		return []*yaml.Node{n}
	case yaml.SequenceNode:
		var words []*yaml.Node
		for _, c := range n.Content {
			if r.scalar(key, c) != "" {
				words = append(words, c)
			}
		}
		return words
	}
	r.fault(n.Line, key, "want a list: [a, b]")
	return nil
}

// amongst reads a list of known values.
func (r *reader) amongst(key string, n *yaml.Node, known []string) []string {
	var out []string
	for _, w := range r.list(key, n) {
		switch {
		case !slices.Contains(known, w.Value):
			r.fault(w.Line, key, "no such value %q; did you mean %q? (one of %s)", w.Value, nearest(w.Value, known), join(known))
		case !slices.Contains(out, w.Value):
			out = append(out, w.Value)
		}
	}
	return out
}

// globs reads a list of patterns; each must match one of names, if there are any.
func (r *reader) globs(key string, n *yaml.Node, names []string) []string {
	var out []string
	for _, w := range r.list(key, n) {
		pattern := strings.ToLower(w.Value)
		if _, err := path.Match(pattern, "x"); err != nil {
			r.fault(w.Line, key, "%q is not a pattern; write for example %q", w.Value, "qwen*")
			continue
		}
		if names != nil && !slices.ContainsFunc(names, func(name string) bool { return matches(pattern, name) }) {
			r.fault(w.Line, key, "%q matches no class; did you mean %q? (one of %s)", w.Value, nearest(pattern, names), join(names))
			continue
		}
		out = append(out, pattern)
	}
	return out
}

func matches(pattern, name string) bool {
	ok, err := path.Match(pattern, strings.ToLower(name))
	return ok && err == nil
}

// count reads a whole number.
func (r *reader) count(key string, n *yaml.Node, most int) int {
	text := r.scalar(key, n)
	v, err := strconv.Atoi(strings.ReplaceAll(text, "_", ""))
	if n.Kind == yaml.ScalarNode && (err != nil || v < 0 || v > most) {
		r.fault(n.Line, key, "%q: want a whole number from 0 to %d", text, most)
		return 0
	}
	return v
}

func (r *reader) temperature(key string, n *yaml.Node) {
	text := r.scalar(key, n)
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v >= 0 && v <= 2) {
		if n.Kind == yaml.ScalarNode {
			r.fault(n.Line, key, "%q: want a number from 0 to 2", text)
		}
		return
	}
	r.p.Options.Temperature = &v
}

func (r *reader) parameters(key string, n *yaml.Node) {
	text := r.scalar(key, n)
	v, ok := Billions(text)
	if !ok {
		if n.Kind == yaml.ScalarNode {
			r.fault(n.Line, key, "%q: want a size such as %q", text, "7B")
		}
		return
	}
	r.p.Requires.Parameters = v
}

var parameterSize = lazyregexp.New(`(?i)^(?:(\d{1,3})x)?(\d{1,6}(?:\.\d{1,3})?)([kmbt])`)

// Billions reads a number of parameters as models state it ("7B", "30.5B",
// "500M", "8x7B"), in billions.
func Billions(size string) (float64, bool) {
	m := parameterSize.FindStringSubmatch(strings.TrimSpace(size))
	if m == nil {
		return 0, false
	}
	v, err := strconv.ParseFloat(m[2], 64)
	if err != nil {
		return 0, false
	}
	if times, err := strconv.Atoi(m[1]); err == nil {
		v *= float64(times)
	}
	switch strings.ToLower(m[3]) {
	case "k":
		v /= 1e6
	case "m":
		v /= 1e3
	case "t":
		v *= 1e3
	}
	return v, true
}
