package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/config"
	"github.com/pausetui/pausetui/engine/console"
	"github.com/pausetui/pausetui/llm/providers"
	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/prompts/redact"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/theme"
)

// LoadConfig reads and checks the configuration of the module around dir.
func LoadConfig(dir string) (config.Config, error) {
	root := config.Root(dir)
	c, err := config.Load(root)
	if err != nil {
		return c, err
	}
	known := config.Known{Providers: providers.NewSet().Names(), Actions: actionNames(),
		Commands: commandNames(), Themes: theme.Names(), Colors: theme.ColorNames(), Color: theme.CheckColor, Keys: checkKeys}
	if library, err := prompts.LoadFor(root); err == nil { // pausetui prompts check reports its mistakes
		known.Prompts = slices.DeleteFunc(library.Names(), func(name string) bool { return library[name].Task != prompts.Fix })
	}
	return c, c.Check(known)
}

// IgnoredNotice says what of the module's configuration does not count; nothing
// where all of it does.
func IgnoredNotice(c config.Config) []session.Notice {
	if len(c.Ignored) == 0 {
		return nil
	}
	var keys []string
	for _, i := range c.Ignored[:min(len(c.Ignored), 3)] {
		keys = append(keys, fmt.Sprintf("%s (line %d)", i.Key, i.Line))
	}
	if more := len(c.Ignored) - len(keys); more > 0 {
		keys = append(keys, fmt.Sprintf("and %d more", more))
	}
	return []session.Notice{{Level: "warn", Text: session.Clean(c.Ignored[0].File + " is ignored where it says more than a module may: " + strings.Join(keys, ", ")),
		Hint: "pausetui config names each; what you want of it goes into " + config.UserFile()}}
}

// commandNames are the names of the command line's commands, aliases too.
func commandNames() (names []string) {
	for _, c := range console.NewTable().Commands() {
		names = append(names, c.Names()...)
	}
	return names
}

// ConsoleSettings are the settings of the command line that the configuration
// has; it was checked.
func ConsoleSettings(c config.Console) console.Settings {
	s := console.Settings{Flavor: c.Flavor, SourceLines: c.SourceLines, Aliases: map[string][]string{},
		Written: console.Extent{Text: c.MaxStringLen, Elements: c.MaxArrayValues, Depth: c.MaxVariableRecurse}}
	table := console.NewTable()
	for alias, name := range c.Aliases {
		if command, ok := table.Find(name); ok {
			s.Aliases[command.Name] = append(s.Aliases[command.Name], alias)
		}
	}
	for theirs, ours := range c.SubstitutePath {
		s.SubstitutePath = append(s.SubstitutePath, [2]string{theirs, ours})
	}
	return s
}

func checkKeys(overrides map[string]string) []config.KeyMistake {
	var list []config.KeyMistake
	for _, m := range keymap.Check(overrides) {
		list = append(list, config.KeyMistake{Action: string(m.Action), Text: m.Text, Near: m.Near})
	}
	return list
}

func actionNames() []string {
	table, err := keymap.New(nil)
	if err != nil {
		return nil
	}
	var names []string
	for _, b := range table.Rows() {
		names = append(names, string(b.Action))
	}
	return names
}

// Redaction is what the configuration hides from models, and whether it hides
// nothing from those on this machine.
func Redaction(c config.Config) (settings redact.Settings, localOff bool) {
	return redact.Settings{Entropy: c.Redact.Entropy, Names: c.Redact.Names, Types: c.Redact.Types, Allow: c.Redact.Allow}, !c.Redact.Local
}
