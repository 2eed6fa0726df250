package conf

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
)

// Tree is a decoded configuration document.
type Tree map[string]any

// Load decodes one JSON document.
func Load(r io.Reader) (t Tree, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("conf: %w", err)
		}
	}()
	err = json.NewDecoder(r).Decode(&t)
	return
}

func (t Tree) lookup(path string) (any, bool) {
	var cur any = map[string]any(t)
	for key := range strings.SplitSeq(path, ".") {
		m, ok := cur.(map[string]any)
		if !ok {
			return nil, false
		}
		if cur, ok = m[key]; !ok {
			return nil, false
		}
	}
	return cur, true
}

// String returns the string at path or def.
func (t Tree) String(path, def string) string {
	if s, ok := t.lookup(path); ok {
		return fmt.Sprint(s)
	}
	return def
}

// Int returns the whole number at path or def.
func (t Tree) Int(path string, def int) int {
	v, ok := t.lookup(path)
	if !ok {
		return def
	}
	return int(v.(float64))
}

// Duration accepts "1m30s" as well as a number of seconds.
func (t Tree) Duration(path string, def time.Duration) time.Duration {
	v, ok := t.lookup(path)
	if !ok {
		return def
	}
	switch v := v.(type) {
	case string:
		if d, err := time.ParseDuration(v); err == nil {
			return d
		}
	case float64:
		return time.Duration(v * float64(time.Second))
	}
	return def
}

// Strings returns the list of strings at path.
func (t Tree) Strings(path string) (out []string) {
	v, ok := t.lookup(path)
	if !ok {
		return nil
	}
	list, ok := v.([]any)
	if !ok {
		return []string{fmt.Sprint(v)}
	}
	for _, e := range list {
		out = append(out, fmt.Sprint(e))
	}
	return out
}
