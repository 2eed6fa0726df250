package judge

import (
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger"
)

// otherCause reports whether a crash at the place of the one that is watched has another
// cause: the value that was nil there is not, or what would have it is nil itself.
func (w *Watch) otherCause(stop debugger.Stop) bool {
	was, there := culprit(w.crash)
	now, readable := culprit(stop)
	return there && readable && w.bad != "" && isNil(was, w.bad) && !isNil(now, w.bad)
}

// culprit is the frame to blame for a crash; false where its variables were not read.
func culprit(stop debugger.Stop) (debugger.Frame, bool) {
	for _, f := range stop.Frames {
		if stop.Panic != nil && f.Index == stop.Panic.Culprit {
			return f, f.Loaded
		}
	}
	return debugger.Frame{}, false
}

// isNil reports whether a variable or a field, as in x.y.z, is there in a frame and nil.
func isNil(f debugger.Frame, expr string) bool {
	name, path, _ := strings.Cut(expr, ".")
	visible := func(v debugger.Variable) bool { return v.Name == name && !v.Shadowed && !v.Unset }
	variables := f.Variables()
	i := slices.IndexFunc(variables, visible)
	if i < 0 {
		return false
	}
	v, ok := variables[i], true
	for ok && path != "" {
		name, path, _ = strings.Cut(path, ".")
		v, ok = v.Deref().Child(name)
	}
	return ok && v.Nil && v.Unreadable == ""
}
