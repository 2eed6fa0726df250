package arguments

import (
	"errors"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/cli"
)

// TestFlags are the flags that go test hands over to the test binary (cmd/go's
// passFlagToTest); true are those that stand without a value.
var TestFlags = map[string]bool{
	"artifacts": true, "benchmem": true, "failfast": true, "fullpath": true, "short": true, "v": true,
	"bench": false, "benchtime": false, "blockprofile": false, "blockprofilerate": false, "count": false, "coverprofile": false,
	"cpu": false, "cpuprofile": false, "fuzz": false, "fuzzminimizetime": false, "fuzztime": false, "list": false,
	"memprofile": false, "memprofilerate": false, "mutexprofile": false, "mutexprofilefraction": false, "outputdir": false,
	"parallel": false, "run": false, "shuffle": false, "skip": false, "timeout": false, "trace": false,
}

// errFuzzing is returned for -fuzz, whose inputs run where no debugger is.
var errFuzzing = advice.Add(errors.New("fuzzing runs its inputs in processes of their own, which are not debugged"),
	"find an input with go test -fuzz; then -run 'FuzzX/SEED' debugs the one that it has kept in testdata/fuzz/FuzzX")

// OfTests turns the flags of go test into those of a test binary: what comes after --
// goes to the target as it is, which knows its flags by "-test.run", and those who write
// "-run" mean go test.
func OfTests(args []string) ([]string, error) {
	list := binaryFlags(args)
	if slices.ContainsFunc(list, func(a string) bool { return a == "-test.fuzz" || strings.HasPrefix(a, "-test.fuzz=") }) {
		return nil, cli.UsageError(errFuzzing)
	}
	return list, nil
}

// binaryFlags turns the flags of go test into those of a test binary, as go
// test does: what it does not know stays, -args ends it, and so does the first
// argument that cannot be the value of a flag.
func binaryFlags(args []string) []string {
	var list []string
	unknown := false // there was a flag that may take the next argument as its value
	for i := 0; i < len(args); i++ {
		name, assigned, isFlag := FlagOf(args[i])
		if isFlag && name == "args" {
			return append(list, args[i+1:]...)
		}
		if args[i] == "--" || !isFlag && !unknown {
			return append(list, args[i:]...)
		}
		alone, known := TestFlags[name]
		if !known {
			unknown = unknown || isFlag
			list = append(list, args[i])
			continue
		}
		_, value, _ := strings.Cut(args[i], "=")
		list = append(list, "-test."+name)
		switch {
		case assigned:
			list[len(list)-1] += "=" + value
		case !alone && i+1 < len(args):
			i++
			list = append(list, args[i])
		}
	}
	return list
}

// FlagOf is the name of a flag, "run" for -run, --run=X and -test.run alike.
func FlagOf(arg string) (name string, assigned, ok bool) {
	name, ok = strings.CutPrefix(arg, "-")
	if !ok || name == "" || name == "-" {
		return "", false, false
	}
	name, _, assigned = strings.Cut(strings.TrimPrefix(name, "-"), "=")
	return strings.TrimPrefix(name, "test."), assigned, true
}
