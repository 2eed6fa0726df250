package config

import (
	"errors"
	"fmt"
	"math"
	"net"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger/format"
	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// Known are the valid names that the configuration refers to; a nil list is not checked.
type Known struct {
	Prompts   []string // names of prompt profiles for fixes
	Providers []string // names of providers that need no table
	Actions   []string // names of actions that keys can be given to
	Commands  []string // names of the command line's commands
	Themes    []string // names of themes
	Colors    []string // names of the colors of a theme
	// Color says what is wrong with a color; nil checks nothing.
	Color func(text string) error
	// Keys says what is wrong with the keys of actions, all taken together: by
	// action, with the nearest key where one was meant. Nil checks nothing.
	Keys func(overrides map[string]string) []KeyMistake
}

// KeyMistake is what is wrong with the keys of an action.
type KeyMistake struct{ Action, Text, Near string }

// Auto leaves a choice to pausetui.
const Auto = "auto"

// Check looks at what values mean. Its error is Mistakes.
func (c Config) Check(k Known) error {
	check := checking{c: c}
	for _, name := range sortedKeys(c.Profiles) {
		check.profile("profiles."+name, c.Profiles[name], k)
	}
	for _, name := range sortedKeys(c.Providers) {
		check.provider("providers."+name, c.Providers[name])
	}
	for _, list := range []struct {
		key   string
		names []string
	}{{"models.prefer", c.Models.Prefer}, {"models.avoid", c.Models.Avoid}} {
		for _, name := range list.names {
			check.model(list.key, name, k)
		}
	}
	check.atLeast("limits.max_rounds", float64(c.Limits.MaxRounds), 0)
	check.atLeast("limits.max_candidates", float64(c.Limits.MaxCandidates), 1)
	check.atLeast("limits.lookups", float64(c.Limits.Lookups), 1)
	if c.Limits.Memory != 0 {
		check.atLeast("limits.memory", float64(c.Limits.Memory), leastMemory)
	}
	check.atLeast("limits.tokens", float64(c.Limits.Tokens), 0)
	check.atLeast("limits.cost", c.Limits.Cost, 0)
	check.hidden()
	check.formats()
	check.console(k)
	for _, action := range sortedKeys(c.Keys) {
		if k.Actions != nil && !slices.Contains(k.Actions, action) {
			check.wrong("keys."+action, fmt.Sprintf("there is no action %q", action), Nearest(action, k.Actions))
		}
	}
	if k.Keys != nil {
		for _, m := range k.Keys(c.Keys) {
			check.wrong("keys."+m.Action, m.Text, m.Near)
		}
	}
	check.theme(k)
	return check.found.orNil()
}

func (ch *checking) theme(k Known) {
	t := ch.c.Theme
	ch.oneOf("theme.name", "theme", t.Name, k.Themes)
	ch.oneOf("theme.background", "background", t.Background, Backgrounds)
	ch.oneOf("notify.desktop", "desktop notice", ch.c.Notify.Desktop, Desktops)
	for _, name := range sortedKeys(t.Colors) {
		key := "theme.colors." + name
		switch {
		case k.Colors != nil && !slices.Contains(k.Colors, name):
			ch.wrong(key, fmt.Sprintf("there is no color %q", name), Nearest(name, k.Colors))
		case k.Color != nil:
			if err := k.Color(t.Colors[name]); err != nil {
				ch.wrong(key, err.Error(), "")
			}
		}
	}
}

// oneOf wants a value that is known, or none; a nil list is not checked.
func (ch *checking) oneOf(key, what, value string, known []string) {
	if value != "" && known != nil && !slices.Contains(known, value) {
		ch.wrong(key, fmt.Sprintf("there is no %s %q; there are %s", what, value, strings.Join(known, ", ")), Nearest(value, known))
	}
}

type checking struct {
	c     Config
	found Mistakes
}

// wrong adds a mistake at the place of a key, or of the table it is missing in.
func (ch *checking) wrong(key, text, near string) {
	ch.add(Mistake{Key: key, Text: text, Near: near})
}

// wrongNumber is wrong with a number as the near value.
func (ch *checking) wrongNumber(key, text string, near float64) {
	m := Mistake{Key: key, Text: text, number: true}
	if !math.IsNaN(near) {
		m.Near = fmt.Sprint(near)
	}
	ch.add(m)
}

func (ch *checking) add(m Mistake) {
	key := m.Key
	place := ch.c.places[key]
	if place == "" {
		place = ch.c.places[key[:max(strings.LastIndex(key, "."), 0)]]
	}
	m.File = place
	if i := strings.LastIndex(place, ":"); i >= 0 {
		if _, err := fmt.Sscan(place[i+1:], &m.Line); err == nil {
			m.File = place[:i]
		}
	}
	if m.File == "" {
		m.File = "the configuration"
	}
	ch.found = append(ch.found, m)
}

func (ch *checking) profile(key string, p Profile, k Known) {
	if p.Model != "" && p.Model != Auto {
		ch.model(key+".model", p.Model, k)
	}
	if p.Prompt != "" && p.Prompt != Auto && k.Prompts != nil && !slices.Contains(k.Prompts, p.Prompt) {
		ch.wrong(key+".prompt", fmt.Sprintf("there is no prompt profile %q for fixes", p.Prompt), Nearest(p.Prompt, append(k.Prompts, Auto)))
	}
	if !(p.Temperature >= 0 && p.Temperature <= 2) { // nan is neither
		ch.wrongNumber(key+".temperature", fmt.Sprintf("want a number from 0 to 2, not %v", p.Temperature), min(max(p.Temperature, 0), 2))
	}
	ch.atLeast(key+".candidates", float64(p.Candidates), 0)
	ch.atLeast(key+".max_tokens", float64(p.MaxTokens), 0)
	ch.price(key, p.Price)
}

func (ch *checking) price(key string, p Price) {
	ch.atLeast(key+".price_in", p.In, 0)
	ch.atLeast(key+".price_out", p.Out, 0)
}

func (ch *checking) atLeast(key string, v, least float64) {
	if !(v >= least && v <= math.MaxInt64) { // nan and inf are no amounts
		ch.wrongNumber(key, fmt.Sprintf("want %v or more, not %v", least, v), least)
	}
}

// model checks the provider of a model's name; which models there are is not
// known here, and changes.
func (ch *checking) model(key, name string, k Known) {
	provider, model, ok := strings.Cut(name, "/")
	providers := slices.Concat(sortedKeys(ch.c.Providers), k.Providers)
	slices.Sort(providers)
	providers = slices.Compact(providers)
	switch {
	case strings.ContainsAny(provider, "*?"): // of several
	case !ok || model == "":
		near := ""
		if len(providers) > 0 {
			near = Nearest(provider, providers)
			if near == "" || !ok {
				near = providers[0] + "/" + strings.TrimSuffix(name, "/")
			} else {
				near += "/NAME"
			}
		}
		ch.wrong(key, fmt.Sprintf("want PROVIDER/NAME, not %q", name), near)
	case !slices.Contains(providers, provider):
		near := Nearest(provider, providers)
		if near != "" {
			near += "/" + model
		}
		ch.wrong(key, fmt.Sprintf("there is no provider %q; there are %s", provider, strings.Join(providers, ", ")), near)
	}
}

func (ch *checking) provider(key string, p Provider) {
	switch {
	case p.Kind == "":
		ch.wrong(key+".kind", "missing; want one of "+strings.Join(Kinds(), ", "), "")
	case !slices.Contains(Kinds(), p.Kind):
		ch.wrong(key+".kind", fmt.Sprintf("want one of %s, not %q", strings.Join(Kinds(), ", "), p.Kind), Nearest(p.Kind, Kinds()))
	}
	if p.BaseURL != "" {
		ch.baseURL(key+".base_url", p)
	}
	if strings.ContainsAny(p.KeyEnv, "= -$/.") || len(p.KeyEnv) > 64 {
		ch.wrong(key+".key_env", "want the name of an environment variable, never the key itself", "")
	}
	if p.Kind == KindReplay && p.File == "" {
		ch.wrong(key+".file", "missing; want the directory of recorded answers", "")
	}
	for _, model := range sortedKeys(p.Prices) {
		ch.price(key+".prices."+model, p.Prices[model])
	}
}

// apiPath is the path that servers of OpenAI's protocol have on this machine:
// /v1, /engines/v1, /api/v3.
var apiPath = lazyregexp.New(`^(/[a-zA-Z0-9._-]+){0,2}/v[0-9]+/?$`)

// baseURL wants the address of a provider's API and nothing more: with a query or
// a path of one's choice, requests would reach whatever else listens there, such
// as a container engine on this machine.
func (ch *checking) baseURL(key string, p Provider) {
	u, err := url.Parse(p.BaseURL)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		ch.wrong(key, fmt.Sprintf("want a URL such as http://127.0.0.1:8000/v1, not %q", p.BaseURL), nearURL(p.BaseURL))
	case u.User != nil:
		ch.wrong(key, "a key or password does not belong into a URL; name its variable in key_env", "")
	case u.RawQuery != "" || u.ForceQuery || strings.Contains(p.BaseURL, "#"):
		ch.wrong(key, "a query or fragment does not belong into the address of a server", (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: "/v1"}).String())
	case path.Clean("/"+u.Path) != "/"+strings.Trim(u.Path, "/"):
		ch.wrong(key, fmt.Sprintf("want a path without . and .., not %q", u.Path), "")
	case !loopback(u.Hostname()) || strings.Trim(u.Path, "/") == "":
	case p.Kind == KindOllama:
		ch.wrong(key, fmt.Sprintf("Ollama's API has no path, not %q", u.Path), (&url.URL{Scheme: u.Scheme, Host: u.Host}).String())
	case !apiPath.MatchString(u.EscapedPath()):
		ch.wrong(key, fmt.Sprintf("want the path of an API on this machine, which ends in /v1 or the like, not %q", u.Path), (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: "/v1"}).String())
	}
}

// loopback reports whether a host is this machine.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// nearURL makes a URL of a host that is alone.
func nearURL(text string) string {
	if u, err := url.Parse("http://" + strings.TrimPrefix(text, "//")); err == nil && u.Host != "" && !strings.Contains(text, "://") {
		return u.String()
	}
	return ""
}

// formats reads each way to write values by itself, so that each mistake is reported.
func (ch *checking) formats() {
	for _, pattern := range sortedKeys(ch.c.Formats) {
		_, err := format.Parse(map[string]string{pattern: ch.c.Formats[pattern]})
		var m *format.Mistake
		if errors.As(err, &m) {
			near := ""
			if m.Word != "" {
				near = Nearest(m.Word, format.Words)
			}
			ch.wrong("formats."+pattern, m.Text, near)
		}
	}
}

// console looks at the settings of the command line.
func (ch *checking) console(k Known) {
	c := ch.c.Console
	ch.oneOf("console.disassemble_flavor", "flavor", c.Flavor, Flavors)
	for _, alias := range sortedKeys(c.Aliases) {
		if command := c.Aliases[alias]; k.Commands != nil && !slices.Contains(k.Commands, command) {
			ch.wrong("console.aliases."+alias, fmt.Sprintf("there is no command %q", command), Nearest(command, k.Commands))
		}
	}
	for _, limit := range []struct {
		key   string
		value int
	}{{"source_list_line_count", c.SourceLines}, {"max_string_len", c.MaxStringLen}, {"max_array_values", c.MaxArrayValues}, {"max_variable_recurse", c.MaxVariableRecurse}} {
		if limit.value < 0 {
			ch.wrong("console."+limit.key, fmt.Sprintf("%d is less than 0", limit.value), "")
		}
	}
}

// hidden looks for patterns that would hide, or allow, everything.
func (ch *checking) hidden() {
	for _, list := range []struct {
		key      string
		patterns []string
	}{{"redact.names", ch.c.Redact.Names}, {"redact.types", ch.c.Redact.Types}, {"redact.allow", ch.c.Redact.Allow}} {
		for _, p := range list.patterns {
			if strings.Trim(p, "*? ") == "" {
				ch.wrong(list.key, fmt.Sprintf("%q matches everything; name something", p), "")
			}
		}
	}
}
