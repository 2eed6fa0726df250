package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// A module's file may have come with another person's repository. It may hide
// more and bound more tightly, say which panics of its packages stop, and how
// values of its types are written. Whatever decides who is sent what, what a key
// or a word does, and what the screen shows of it, is the user's: allowedIn is
// the list of what counts, so that a new setting counts from the user alone.

// Ignored is a setting of the module's file that does not count.
type Ignored struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Key  string `json:"key"`
	Why  string `json:"why"`
}

// String is "file:line: key: why".
func (i Ignored) String() string { return fmt.Sprintf("%s:%d: %s: %s", i.File, i.Line, i.Key, i.Why) }

// maxIgnored bounds how many ignored settings are reported.
const maxIgnored = 50

const (
	whyUser   = "counts only in your own configuration"
	whyLower  = "a module may only lower a limit"
	whyHide   = "a module may only hide more"
	whyHidden = "no hook of the module runs: a command holds characters that are not seen"
	whyLong   = "the pattern is too long"
	whyMany   = "a module may have at most 200 formats"
	whyYours  = "your own configuration says so already"
)

// addModule puts what a module may say over what is there.
func (c *Config) addModule(path string, data []byte) error {
	one, keys, err := parse(path, data, *c)
	if err != nil {
		return err
	}
	for _, k := range keys {
		if k.kind == unstable.Table || k.kind == unstable.InlineTable || k.path[0] == "hooks" { // hooks count after consent
			continue
		}
		if why := c.refuses(one, k); why != "" {
			if len(c.Ignored) < maxIgnored {
				c.Ignored = append(c.Ignored, Ignored{File: path, Line: k.line, Key: k.name(), Why: why})
			}
			continue
		}
		place := k.place(path)
		if old, ok := c.places[k.name()]; ok && k.kind == unstable.Array { // both count
			place = old + ", " + place
		}
		c.places[k.name()] = place
	}
	c.Redact.Names = slices.Concat(c.Redact.Names, one.Redact.Names)
	c.Redact.Types = slices.Concat(c.Redact.Types, one.Redact.Types)
	c.Redact.Local = c.Redact.Local || one.Redact.Local
	c.Redact.Entropy = c.Redact.Entropy || one.Redact.Entropy
	c.Panics.In = slices.Concat(c.Panics.In, one.Panics.In)
	c.Panics.Not = slices.Concat(c.Panics.Not, one.Panics.Not)
	if hidden := one.Hooks.hidden(); hidden != "" {
		c.Ignored = append(c.Ignored, Ignored{File: path, Line: 1, Key: "hooks." + hidden, Why: whyHidden})
	} else if one.Hooks.Digest() != "" {
		c.ModuleHooks = one.Hooks
		c.ModuleHooks.Timeout = min(one.Hooks.Timeout, c.Hooks.Timeout)
	}
	c.Limits = c.Limits.lowered(one.Limits)
	c.addFormats(one.Formats)
	return nil
}

// refuses says why a setting of the module's does not count; empty when it does.
func (c *Config) refuses(one Config, k key) string {
	name := k.name()
	switch {
	case name == "redact.names", name == "redact.types", name == "panics.in", name == "panics.not":
		return ""
	case name == "redact.local" && one.Redact.Local, name == "redact.entropy" && one.Redact.Entropy:
		return ""
	case strings.HasPrefix(name, "redact."):
		return whyHide
	case strings.HasPrefix(name, "limits."):
		if c.lowers(one.Limits, name) {
			return ""
		}
		return whyLower
	case k.path[0] == "formats" && len(k.path) == 2 && len(k.path[1]) > maxPattern:
		return whyLong
	case k.path[0] == "formats" && len(one.Formats) > maxFormats:
		return whyMany
	case k.path[0] == "formats" && len(k.path) == 2:
		if _, ok := c.Formats[k.path[1]]; ok {
			return whyYours
		}
		return ""
	}
	return whyUser
}

// lowers reports whether a limit of the module's is none above the user's.
func (c *Config) lowers(l Limits, name string) bool {
	switch name {
	case "limits.first_token":
		return l.FirstToken <= c.Limits.FirstToken
	case "limits.total":
		return l.Total <= c.Limits.Total
	case "limits.max_rounds":
		return l.MaxRounds <= c.Limits.MaxRounds
	case "limits.max_candidates":
		return l.MaxCandidates <= c.Limits.MaxCandidates
	case "limits.lookups":
		return l.Lookups <= c.Limits.Lookups
	case "limits.memory":
		return l.lowersMemory(c.Limits)
	case "limits.time":
		return bounds(l.Time, c.Limits.Time)
	case "limits.asking":
		return bounds(l.Asking, c.Limits.Asking)
	case "limits.tokens":
		return bounds(l.Tokens, c.Limits.Tokens)
	case "limits.cost":
		return bounds(l.Cost, c.Limits.Cost)
	}
	return false
}

// bounds tells whether a limit is none above another, where 0 is no limit.
func bounds[T cmp.Ordered](l, other T) bool {
	var none T
	return l != none && (other == none || l <= other)
}

// lowered are the limits where others may only lower them.
func (l Limits) lowered(to Limits) Limits {
	memory := l.Memory
	if to.lowersMemory(l) {
		memory = to.Memory
	}
	return Limits{FirstToken: min(l.FirstToken, to.FirstToken), Total: min(l.Total, to.Total), MaxRounds: min(l.MaxRounds, to.MaxRounds),
		MaxCandidates: min(l.MaxCandidates, to.MaxCandidates), Lookups: min(l.Lookups, to.Lookups),
		Memory: memory, Time: lower(l.Time, to.Time), Asking: lower(l.Asking, to.Asking), Tokens: lower(l.Tokens, to.Tokens), Cost: lower(l.Cost, to.Cost)}
}

// lowersMemory reports whether a limit of memory is none above another's, where 0 is the
// default.
func (l Limits) lowersMemory(other Limits) bool {
	return l.Memory != 0 && l.Memory <= cmp.Or(other.Memory, defaultMemory)
}

func lower[T cmp.Ordered](l, to T) T {
	if bounds(to, l) {
		return to
	}
	return l
}
