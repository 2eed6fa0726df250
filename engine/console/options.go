package console

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/internal/editdistance"
	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// given are the options of a line by name, in order of a value each, and what
// is left of it.
type given struct {
	values map[string][]string
	rest   []string
}

func (g given) has(name string) bool { _, ok := g.values[name]; return ok }

func (g given) value(name string) string {
	if v := g.values[name]; len(v) > 0 {
		return v[len(v)-1]
	}
	return ""
}

// number is the value of an option; otherwise where it is not given.
func (g given) number(name string, otherwise int) (int, error) {
	if !g.has(name) {
		return otherwise, nil
	}
	n, err := strconv.ParseInt(g.value(name), 0, 64)
	if err != nil {
		return 0, fmt.Errorf("%w: %s takes a number, not %q", ErrUsage, name, g.value(name))
	}
	return int(n), nil
}

// text is what is left, in one piece.
func (g given) text() string { return strings.Join(g.rest, " ") }

// number looks like an option, "-3", and is none.
var negative = lazyregexp.New(`^-\d`)

// options takes the options off the arguments. What follows the first word that
// is none belongs to the rest, unless anywhere is set.
func (c *Call) options(anywhere bool) (given, error) {
	g := given{values: map[string][]string{}}
	words := strings.Fields(c.Args)
	for i := 0; i < len(words); i++ {
		word := words[i]
		if len(word) < 2 || word[0] != '-' || negative.MatchString(word) {
			g.rest = append(g.rest, word)
			if !anywhere {
				g.rest = append(g.rest, words[i+1:]...)
				break
			}
			continue
		}
		at := slices.IndexFunc(c.Command.Options, func(o Option) bool { return o.Name == word })
		if at < 0 {
			return g, c.unknownOption(word)
		}
		o := c.Command.Options[at]
		value := ""
		if o.Value != "" {
			i++
			if i >= len(words) {
				return g, fmt.Errorf("%w: %s needs %s after it", ErrUsage, word, o.Value)
			}
			value = words[i]
		}
		g.values[word] = append(g.values[word], value)
	}
	return g, nil
}

func (c *Call) unknownOption(word string) error {
	for _, o := range c.Command.Options {
		if editdistance.Distance(word, o.Name) <= 2 {
			return fmt.Errorf("%w: no option %s; did you mean %s?", ErrUsage, word, o.Name)
		}
	}
	return fmt.Errorf("%w: no option %s", ErrUsage, word)
}

// pattern compiles a regular expression of the person.
func pattern(text string) (*regexp.Regexp, error) {
	re, err := regexp.Compile(text)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUsage, err)
	}
	return re, nil
}
