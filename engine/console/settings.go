package console

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/session"
)

// configCall is a call of config.
type configCall struct{ *Call }

// Settings are those of the command line.
type Settings struct {
	Aliases          map[string][]string // by command
	SubstitutePath   [][2]string         // the first that fits replaces the beginning of a path of the target
	Flavor           string              // of assembly: "go", "intel", "gnu"
	SourceLines      int                 // before and after, in list
	ShowLocationExpr bool                // in whatis
	Written          Extent              // of a value, in print
}

// Effective is what holds: the settings with the defaults where they say nothing.
func (s Settings) Effective() Settings { return s.withDefaults() }

func (s Settings) withDefaults() Settings {
	if s.Flavor == "" {
		s.Flavor = "intel" // as dlv does
	}
	if s.SourceLines <= 0 {
		s.SourceLines = 5
	}
	s.Written = s.Written.withDefaults()
	return s
}

// Settings returns the settings as they are now.
func (s *Shell) Settings() Settings {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.settings
}

// setting is a simple one.
type setting struct {
	name, help string
	words      []string // its values, if they are few
	get        func(Settings) string
	set        func(*Settings, string) error
}

var settings = []setting{
	{"disassemble-flavor", "how instructions are written: go, intel or gnu", []string{"go", "intel", "gnu"},
		func(s Settings) string { return s.Flavor },
		func(s *Settings, v string) error {
			if !slices.Contains([]string{"go", "intel", "gnu"}, v) {
				return fmt.Errorf("%w: go, intel or gnu", ErrUsage)
			}
			s.Flavor = v
			return nil
		}},
	{"source-list-line-count", "lines that list shows before and after", nil,
		func(s Settings) string { return strconv.Itoa(s.SourceLines) },
		func(s *Settings, v string) error {
			n, err := strconv.Atoi(v)
			if err != nil || n < 1 || n > 1000 {
				return fmt.Errorf("%w: a number from 1 to 1000", ErrUsage)
			}
			s.SourceLines = n
			return nil
		}},
	{"show-location-expr", "whether whatis says where the debug information puts a variable", []string{"true", "false"},
		func(s Settings) string { return strconv.FormatBool(s.ShowLocationExpr) },
		func(s *Settings, v string) error {
			on, err := strconv.ParseBool(v)
			if err != nil {
				return fmt.Errorf("%w: true or false", ErrUsage)
			}
			s.ShowLocationExpr = on
			return nil
		}},
	bounded("max-string-len", "bytes of a text that print writes", maxWrittenText, func(s *Settings) *int { return &s.Written.Text }),
	bounded("max-array-values", "elements of a slice, array or map that print writes", maxWrittenElements, func(s *Settings) *int { return &s.Written.Elements }),
	bounded("max-variable-recurse", "levels of a value that print writes", maxWrittenDepth, func(s *Settings) *int { return &s.Written.Depth }),
}

// bounded is a setting that is a number.
func bounded(name, help string, most int, field func(*Settings) *int) setting {
	return setting{name, fmt.Sprintf("%s, up to %d; enter always opens all of it", help, most), nil,
		func(s Settings) string { return strconv.Itoa(*field(&s)) },
		func(s *Settings, v string) error {
			n, err := strconv.Atoi(v)
			if err != nil || n < 1 || n > most {
				return fmt.Errorf("%w: a number from 1 to %d", ErrUsage, most)
			}
			*field(s) = n
			return nil
		}}
}

// elsewhere are settings of dlv that have no place here, and why.
var elsewhere = map[string]string{
	"show-raw-strings":        "print %s x writes a text as it is",
	"prompt-color":            "the theme has the colors",
	"debug-info-directories":  "the debugger's defaults are used; a program that pausetui builds carries its own debug information",
	"position":                "source and disassembly are shown next to each other (D)",
	"prompt":                  "there is no prompt to change",
	"source-list-line-color":  "the theme has the colors",
	"source-list-arrow-color": "the theme has the colors", "source-list-keyword-color": "the theme has the colors",
	"source-list-string-color": "the theme has the colors", "source-list-number-color": "the theme has the colors",
	"source-list-comment-color": "the theme has the colors", "source-list-tab-color": "the theme has the colors",
	"stacktrace-function-color": "the theme has the colors", "stacktrace-basename-color": "the theme has the colors",
	"tab":                  "the source pane writes tabs as tabs",
	"trace-show-timestamp": "the log has the time of every hit",
}

// SettingNames are what config takes.
func SettingNames() []string {
	names := []string{"alias", "substitute-path"}
	for _, s := range settings {
		names = append(names, s.name)
	}
	return names
}

func (c configCall) config() error {
	word, rest := cut(c.Args)
	switch word {
	case "-list":
		c.listSettings()
		return nil
	case "-save":
		return fmt.Errorf("permanent settings belong in the configuration file, under [console]; pausetui config says where it is")
	case "alias":
		return c.alias(fields(rest))
	case "substitute-path":
		return c.substitutePath(fields(rest))
	}
	for _, s := range settings {
		if s.name == word {
			if err := c.change(func(to *Settings) error { return s.set(to, rest) }); err != nil {
				return err
			}
			c.Out.Say("%s is %s", s.name, s.get(c.Settings()))
			return nil
		}
	}
	if why, ok := elsewhere[word]; ok {
		return fmt.Errorf("%s is a setting of dlv: %s", word, why)
	}
	return fmt.Errorf("%w: there is no setting %q", ErrUsage, word)
}

// change changes the settings, and the table with them.
func (c configCall) change(fn func(*Settings) error) error {
	c.mu.Lock()
	next := c.settings
	err := fn(&next)
	if err == nil {
		c.settings = next
		c.table = NewTable().With(c.made...).Alias(next.Aliases)
	}
	table := c.table
	c.mu.Unlock()
	if err == nil && c.Added != nil {
		c.Added(table)
	}
	return err
}

func (c configCall) listSettings() {
	now := c.Settings()
	for _, s := range settings {
		c.Out.Say("%-24s %s", s.name, s.get(now))
	}
	for _, name := range sortedKeys(now.Aliases) {
		c.Out.Say("%-24s %s %s", "alias", name, strings.Join(now.Aliases[name], " "))
	}
	for _, rule := range now.SubstitutePath {
		c.Out.Say("%-24s %q → %q", "substitute-path", rule[0], rule[1])
	}
	c.Out.Line(session.Line{Text: "Those of the screen, of models and of fixes: pausetui config", Style: session.StyleDim})
}

func (c configCall) helpSetting(name string) error {
	for _, s := range settings {
		if s.name == name {
			c.Out.Say("%s: %s", s.name, s.help)
			return nil
		}
	}
	if why, ok := elsewhere[name]; ok {
		c.Out.Say("%s is a setting of dlv: %s", name, why)
		return nil
	}
	if name == "alias" || name == "substitute-path" {
		for _, u := range c.Table().rows[c.Table().byName["config"]].UsageLines() {
			if strings.Contains(u, name) {
				c.Out.Say("%s", u)
			}
		}
		return nil
	}
	return fmt.Errorf("there is no setting %q", name)
}

func (c configCall) alias(words []string) error {
	switch len(words) {
	case 1:
		return c.change(func(s *Settings) error {
			found := false
			next := map[string][]string{}
			for name, list := range s.Aliases {
				next[name] = slices.DeleteFunc(slices.Clone(list), func(a string) bool { return a == words[0] })
				found = found || len(next[name]) < len(list)
			}
			if !found {
				return fmt.Errorf("there is no alias %q", words[0])
			}
			s.Aliases = next
			return nil
		})
	case 2:
		command, ok := c.Table().Find(words[0])
		if !ok {
			return c.noCommand(words[0])
		}
		if !firstWord.MatchString(words[1]) {
			return fmt.Errorf("%w: %q cannot be a word of the command line", ErrUsage, words[1])
		}
		return c.change(func(s *Settings) error {
			next := map[string][]string{}
			for name, list := range s.Aliases {
				next[name] = list
			}
			next[command.Name] = append(slices.Clone(next[command.Name]), words[1])
			s.Aliases = next
			return nil
		})
	}
	return ErrUsage
}

func (c configCall) substitutePath(words []string) error {
	switch {
	case len(words) == 0:
		for _, rule := range c.Settings().SubstitutePath {
			c.Out.Say("%q → %q", rule[0], rule[1])
		}
		return nil
	case len(words) == 1 && words[0] == "-clear":
		return c.substitute(func(s *Settings) error { s.SubstitutePath = nil; return nil })
	case len(words) == 1, len(words) == 2 && words[0] == "-clear":
		from := words[len(words)-1]
		return c.substitute(func(s *Settings) error {
			rules := slices.DeleteFunc(slices.Clone(s.SubstitutePath), func(r [2]string) bool { return r[0] == from })
			if len(rules) == len(s.SubstitutePath) {
				return fmt.Errorf("there is no rule for %q", from)
			}
			s.SubstitutePath = rules
			return nil
		})
	case len(words) == 2:
		return c.substitute(func(s *Settings) error {
			rules := slices.DeleteFunc(slices.Clone(s.SubstitutePath), func(r [2]string) bool { return r[0] == words[0] })
			s.SubstitutePath = append(rules, [2]string{words[0], words[1]})
			return nil
		})
	}
	return ErrUsage
}

// substitute changes the rules for paths, here and in the target.
func (c configCall) substitute(fn func(*Settings) error) error {
	if err := c.change(fn); err != nil {
		return err
	}
	c.host.SubstitutePaths(c.Settings().SubstitutePath)
	c.Out.answer.Changed = true
	return nil
}

func sortedKeys(m map[string][]string) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
