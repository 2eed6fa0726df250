package replay

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/llm"
)

const (
	// maxFile bounds a file of a recording, in bytes.
	maxFile = 64 << 20
	// maxEntries bounds the answers of a recording.
	maxEntries = 10_000
)

// Entry is one recorded answer; a recording is a file of such JSON objects, one
// a line.
type Entry struct {
	Kind   string   `json:"kind"`             // "answer"
	Digest string   `json:"digest,omitempty"` // of the request; empty fits any
	Seed   int      `json:"seed,omitempty"`   // of the request
	Model  llm.Info `json:"model,omitzero"`
	Answer
	Err string `json:"err,omitempty"` // what it ended with instead
}

// Answer is what was answered. Times are in nanoseconds.
type Answer struct {
	Text         string        `json:"text,omitempty"`
	Calls        []llm.Call    `json:"calls,omitempty"`
	PromptTokens int           `json:"prompt_tokens,omitempty"`
	Tokens       int           `json:"tokens,omitempty"`
	Took         time.Duration `json:"took,omitempty"`
	FirstToken   time.Duration `json:"first_token,omitempty"`
}

// Digest names a request by its messages and tools. For messages of plain text
// it is the hash of the prompt as a session's journal holds it.
func Digest(r llm.Request) string {
	h := sha256.New()
	for _, m := range r.Messages {
		fmt.Fprintf(h, "=== %s ===\n%s\n", m.Role, unmarked(m.Text))
		if len(m.Calls) > 0 {
			writeJSON(h, m.Calls)
		}
	}
	if len(r.Tools) > 0 {
		writeJSON(h, r.Tools)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// marks stand for secrets, and are others in each process.
var marks = lazyregexp.New(`\[redacted [0-9a-f]{6}\]`)

func unmarked(text string) string { return marks.ReplaceAllString(text, "[redacted]") }

func writeJSON(w io.Writer, v any) {
	_ = json.NewEncoder(w).Encode(v) // a hash takes everything; what is no JSON names nothing
}

// read returns the answers of a recording: a file of entries, the journal of a
// session, a markdown file that is one answer, or a directory of these in the
// order of their names.
func read(path string) ([]Entry, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return readFile(path)
	}
	files, err := os.ReadDir(path) // sorted by name
	if err != nil {
		return nil, err
	}
	var all []Entry
	for _, f := range files {
		if !recorded(f.Name()) || f.IsDir() {
			continue
		}
		some, err := readFile(filepath.Join(path, f.Name()))
		if err != nil {
			return nil, err
		}
		if all = append(all, some...); len(all) > maxEntries {
			return nil, fmt.Errorf("%s: over %d answers", path, maxEntries)
		}
	}
	return all, nil
}

// recorded reports whether a file may be a recording, by its name.
func recorded(name string) bool {
	switch filepath.Ext(name) {
	case ".md", ".json", ".jsonl":
		return true
	}
	return false
}

func readFile(path string) ([]Entry, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxFile {
		return nil, fmt.Errorf("%s: larger than %d MiB", path, maxFile>>20)
	}
	if filepath.Ext(path) == ".md" {
		return []Entry{{Kind: "answer", Answer: Answer{Text: string(data)}}}, nil
	}
	entries, err := decode(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return entries, nil
}

// line is an entry, or an event of a session's journal.
type line struct {
	Entry
	Actor string `json:"actor"`
	Body  struct {
		Request string `json:"request"`
		Prompt  string `json:"prompt"`
		Err     string `json:"err"`
		Answer
	} `json:"body"`
}

// decode reads JSON values, one after the other. A torn last one is left out,
// as a journal may have one.
func decode(data []byte) ([]Entry, error) {
	var entries []Entry
	prompts := map[string]string{} // digests by request
	d := json.NewDecoder(bytes.NewReader(data))
	for {
		var l line
		err := d.Decode(&l)
		switch {
		case err == io.EOF, errors.Is(err, io.ErrUnexpectedEOF):
			return entries, nil
		case err != nil:
			return nil, fmt.Errorf("answer %d, byte %d: %w", len(entries)+1, d.InputOffset(), err)
		}
		switch l.Kind {
		case "answer":
			entries = append(entries, l.Entry)
		case "prompted":
			sum := sha256.Sum256([]byte(unmarked(l.Body.Prompt)))
			prompts[l.Body.Request] = hex.EncodeToString(sum[:])
		case "answered":
			if e, ok := l.answered(prompts); ok {
				entries = append(entries, e)
			}
		}
		if len(entries) > maxEntries {
			return nil, fmt.Errorf("over %d answers", maxEntries)
		}
	}
}

// answered makes an entry of a journal's event, if a model has answered.
func (l line) answered(prompts map[string]string) (Entry, bool) {
	id, ok := strings.CutPrefix(l.Actor, "model:")
	if !ok || l.Body.Text == "" {
		return Entry{}, false
	}
	e := Entry{Kind: "answer", Digest: prompts[l.Body.Request], Answer: l.Body.Answer}
	e.Model.Provider, e.Model.Name, _ = strings.Cut(id, "/")
	return e, true
}
