package execute

import (
	"slices"
	"strings"

	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/verdict"
)

// Refused names what the sandbox seems to have blocked.
func Refused(r sandbox.Result) string {
	if len(r.Blocked) == 0 {
		return ""
	}
	return "; the sandbox (" + string(r.Tier) + ") blocked " + strings.Join(r.Blocked, "; ")
}

// hidden reminds of what is not there in the sandbox, as far as it is not open.
func (v *Runner) hidden() string {
	files, network := v.Allows(verdict.AllowFiles), v.Allows(verdict.AllowNetwork)
	switch {
	case files && network:
		return ""
	case files:
		return "; there, the network is hidden"
	case network:
		return "; there, your home directory is hidden"
	}
	return "; there, your home directory and the network are hidden"
}

// Allows reports whether a person has allowed something, as Options.Allow has it.
func (v *Runner) Allows(what string) bool { return slices.Contains(v.Opts.Allow, what) }

// needs is what would have to be allowed so that a control, which did not crash
// as the target did, may do so.
func (v *Runner) needs(r sandbox.Result) []string {
	if len(r.Needs) == 0 && !v.Sometimes() && v.perhaps(r) != "" {
		return []string{verdict.AllowFiles}
	}
	return r.Needs
}

// perhaps says what may be the reason for a control that went another way although
// nothing that it was refused is known: a race, or reading what is hidden, which
// leaves no trace.
func (v *Runner) perhaps(r sandbox.Result) string {
	if v.Sometimes() && len(r.Needs) == 0 {
		return "; it stops only in some runs: goroutines race, or with its own end"
	}
	if len(r.Needs) > 0 || r.Alive() || r.Limit != "" || r.Tier == sandbox.None || v.Allows(verdict.AllowFiles) {
		return ""
	}
	if r.Tier == sandbox.Full && !v.Allows(verdict.AllowNetwork) {
		return "; it tried nothing on the network; if it reads or writes files outside the module, allow files"
	}
	return "; if it reads or writes files outside the module, allow files"
}

// Unknown leaves out the kinds of refusals that the control has met as well.
func (c Control) Unknown(blocked []string) []string {
	kind := func(entry string) string {
		k, _, _ := strings.Cut(entry, ":")
		return k
	}
	return slices.DeleteFunc(slices.Clone(blocked), func(entry string) bool {
		return slices.ContainsFunc(c.blocked, func(known string) bool { return kind(known) == kind(entry) })
	})
}
