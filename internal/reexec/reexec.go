// Package reexec starts this binary again as one of its helper processes: a
// supervisor, the guard of a terminal, a Delve server, the parts of a sandbox.
//
// It is the only place where a process turns into a helper. The rules are:
//
//   - A package registers its helper in its init function. Argv is the command
//     line that starts it.
//   - Main, called first in main and in TestMain, runs a helper and ends the
//     process. In any other process it notes that this binary may be started
//     again: started by a program that never calls it, a helper would be a second
//     copy of that program.
//   - A helper registered with RegisterEarly runs during the registration, before
//     most other packages are initialized: each child process would pay for that.
//     A supervisor with /bin/true takes 7 ms so, and 13 ms if entered from main.
//   - An ordinary process never becomes a helper by accident: its name (argv[0])
//     must be the helper's, and the argument after it a nonce that vouches for
//     the whole command line. No environment variable can do it.
//
// It imports little, so that it is initialized early, and knows none of its
// helpers.
package reexec

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"strings"
	"sync/atomic"
)

// prefix begins the argv[0] of every helper, as ps shows it.
const prefix = "pausetui-"

var (
	helpers = map[string]func(args []string) int{} // written by init functions only
	armed   atomic.Bool
)

// Register says what this process does if it was started as the helper of that
// name: Main runs it with the arguments of Argv, and its result is the exit code.
// It is for init functions.
func Register(name string, run func(args []string) int) {
	if helpers[name] != nil {
		panic("reexec: two helpers named " + name)
	}
	helpers[name] = run
}

// RegisterEarly is Register for a helper that begins at once, here, and does not
// return. What it uses must be initialized by then: its own package and what that
// imports.
func RegisterEarly(name string, run func(args []string) int) {
	Register(name, run)
	if asked, args, ok := parse(os.Args); ok && asked == name {
		os.Exit(run(args))
	}
}

// Main runs the helper that this process was started as and does not return
// then. Otherwise it keeps the files that were left open to this process from all
// that it starts, and lets helpers be started.
func Main() {
	if name, args, ok := parse(os.Args); ok && helpers[name] != nil {
		os.Exit(helpers[name](args))
	}
	CloseOnExec(3)
	armed.Store(true)
}

// Armed reports whether Main was called: only then does starting this binary again
// give a helper and not a second copy of the program.
func Armed() bool { return armed.Load() }

// Argv is the command line of a helper, which Self is started with.
func Argv(name string, args ...string) []string {
	salt := fmt.Sprintf("%016x", rand.Uint64())
	return append([]string{prefix + name, salt + sum(name, salt, args)}, args...)
}

// Env is the environment of a helper that gets these variables and none of ours.
func Env(vars ...string) []string { return append(append([]string{}, detector...), vars...) }

// Self is the path of this binary, even after its file was replaced or removed
// where the system allows that.
func Self() (string, error) { return self() }

// saltLength is the length of the random part of a nonce; its sum follows.
const saltLength = 16

// parse takes a command line of Argv apart.
func parse(argv []string) (name string, args []string, ok bool) {
	if len(argv) < 2 || len(argv[1]) <= saltLength {
		return "", nil, false
	}
	name, ok = strings.CutPrefix(argv[0], prefix)
	salt := argv[1][:saltLength]
	return name, argv[2:], ok && argv[1][saltLength:] == sum(name, salt, argv[2:])
}

// sum vouches for a command line.
func sum(name, salt string, args []string) string {
	h := fnv.New64a()
	for _, part := range append([]string{name, salt}, args...) {
		_, _ = h.Write(append([]byte(part), 0)) // never fails
	}
	return fmt.Sprintf("%016x", h.Sum64())
}
