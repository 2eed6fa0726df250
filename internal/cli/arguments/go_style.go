package arguments

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// GoStyle understands arguments as those who use the go command write them: a
// flag of ours may have one dash (-race), and where tests are run, the flags of
// go test need not stand after "--" (-run TestLoad).
func GoStyle(root *cobra.Command, args []string) []string {
	cmd, _, err := root.Find(args)
	if err != nil || len(args) == 0 || strings.HasPrefix(args[0], "__") { // which completes what is being typed
		return args
	}
	ours, rest, parted := CutAtDashes(args)
	tests := cmd.Name() == "test" || cmd.Name() == "fix" && (slices.Contains(ours, "--test") || slices.Contains(ours, "-test"))
	var own, target []string
	for i := 0; i < len(ours); i++ {
		arg, to := ours[i], &own
		name, assigned, isFlag := FlagOf(arg)
		flag := cmd.Flags().Lookup(name)
		takes := flag != nil && flag.NoOptDefVal == ""
		switch alone, known := TestFlags[name]; {
		case flag != nil && isFlag && !strings.HasPrefix(arg, "--"):
			arg = "-" + arg
		case flag == nil && isFlag && tests && known:
			to, takes, parted = &target, !alone, true
		}
		*to = append(*to, arg)
		if isFlag && takes && !assigned && i+1 < len(ours) {
			i++
			*to = append(*to, ours[i])
		}
	}
	if parted {
		own = append(own, "--")
	}
	return slices.Concat(own, target, rest)
}

// CutAtDashes parts what is ours from what is the target's.
func CutAtDashes(args []string) (ours, rest []string, found bool) {
	if i := slices.Index(args, "--"); i >= 0 {
		return args[:i], args[i+1:], true
	}
	return args, nil, false
}
