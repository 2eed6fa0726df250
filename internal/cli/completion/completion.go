// Package completion completes arguments and flags for shells.
package completion

import (
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/config"
	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/cli/arguments"
	"github.com/pausetui/pausetui/internal/cli/models"
	"github.com/pausetui/pausetui/internal/cli/prompts"
	"github.com/pausetui/pausetui/ui/theme"
)

// argumentsOf are what the arguments of commands complete to, by the command's
// name; those that say it themselves are left alone.
var argumentsOf = map[string]cobra.CompletionFunc{
	"debug": completeTarget(true), "fix": completeTarget(true), "test": completeTarget(false),
	"exec": anyFile, "core": anyFile, "trace": anyFile, "attach": completeProcesses, "connect": nothing,
}

// valuesOf are what the values of flags complete to, by the flag's name.
var valuesOf = map[string]cobra.CompletionFunc{
	"profile": completeProfiles, "model": models.Complete, "prompt": prompts.Complete,
	"panics": oneOf(string(debugger.PanicsAuto), string(debugger.PanicsUnrecovered), string(debugger.PanicsAll), string(debugger.PanicsFatal), string(debugger.PanicsOff)),
	"allow":  oneOf("network", "files", "directives", "network,files"), "theme": oneOf(theme.Names()...),
	"log-dir": directories, "wd": directories, "stdin": anyFile, "trace": anyFile, "timings": anyFile,
	"env": nothing, "tags": nothing, "build-flags": nothing, "max-candidates": nothing, "max-rounds": nothing, "timeout": nothing,
	"repro": nothing, "repro-after": nothing, "panics-in": nothing, "panics-not": nothing, "nth": nothing,
}

// Add tells the shell what arguments and flags can be, of every
// command below c.
func Add(c *cobra.Command) {
	for _, sub := range c.Commands() {
		if f := argumentsOf[sub.Name()]; f != nil && sub.ValidArgsFunction == nil && c.Parent() == nil {
			sub.ValidArgsFunction = f
		}
		for name, f := range valuesOf {
			if sub.Flags().Lookup(name) != nil || sub.PersistentFlags().Lookup(name) != nil {
				_ = sub.RegisterFlagCompletionFunc(name, f) // fails only where it has one
			}
		}
		Add(sub)
	}
}

func nothing(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveNoFileComp
}

func anyFile(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveDefault
}

func directories(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

func oneOf(names ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp)
}

func completeProfiles(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var names []string
	if dir, err := os.Getwd(); err == nil {
		if c, err := config.Load(config.Root(dir)); err == nil {
			names = slices.Sorted(maps.Keys(c.Profiles))
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// completeTarget offers the module's packages (commands only, where they are to
// be run) and .go files; after -- files, or what go test's flags take.
func completeTarget(commands bool) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		dash := dashAt(c, args)
		if dash >= 0 && commands {
			return anyFile(c, args, typed)
		}
		if dash >= 0 {
			return completeTestFlags(args, dash, typed)
		}
		if len(args) > 0 && !strings.HasSuffix(args[0], ".go") {
			return nothing(c, args, typed)
		}
		names := packagesBelow(typed, commands)
		if len(names) == 0 {
			return []cobra.Completion{"go"}, cobra.ShellCompDirectiveFilterFileExt
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}

// dashAt is how many arguments stand before --; -1 where there is none. While it
// completes, cobra parses with a -- of its own after the last argument.
func dashAt(c *cobra.Command, args []string) int {
	dash := c.ArgsLenAtDash()
	if dash == len(args) && !slices.Contains(os.Args[:len(os.Args)-1], "--") {
		return -1
	}
	return dash
}

// completeTestFlags offers go test's flags, and the tests of the package after
// -run and its kin.
func completeTestFlags(args []string, dash int, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	pkg := "."
	if dash > 0 {
		pkg = args[0]
	}
	kinds := map[string][]string{"run": {"Test", "Example"}, "skip": {"Test", "Example"}, "bench": {"Benchmark"}, "fuzz": {"Fuzz"}}
	before := ""
	if len(args) > dash {
		before = args[len(args)-1]
	}
	if name, assigned, ok := arguments.FlagOf(before); ok && !assigned && kinds[name] != nil {
		return testsIn(pkg, kinds[name]), cobra.ShellCompDirectiveNoFileComp
	}
	if !strings.HasPrefix(typed, "-") {
		return nil, cobra.ShellCompDirectiveDefault
	}
	var flags []string
	for _, name := range slices.Sorted(maps.Keys(arguments.TestFlags)) {
		flags = append(flags, "-"+name)
	}
	return flags, cobra.ShellCompDirectiveNoFileComp
}
