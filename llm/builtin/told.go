package builtin

// toldExits are the ways to refuse a bad value that the code itself calls for:
// what neighbours do with the same value, and what the comment says is returned.
func (f *fixer) toldExits(p place) []exit {
	return append(f.alikeExits(p), f.documentedExits(p)...)
}
