package value

import (
	"go/types"

	"github.com/pausetui/pausetui/debugger"
)

func background(_ *Reader, _ site, _ debugger.Variable, t types.Type) (*Value, error) {
	return made(t, std("context", "Background"), "()"), nil
}

func todo(_ *Reader, _ site, _ debugger.Variable, t types.Type) (*Value, error) {
	return made(t, std("context", "TODO"), "()"), nil
}

// cancelCtx makes a context that is canceled when the test ends, or at once if
// it was canceled already.
func cancelCtx(r *Reader, at site, v debugger.Variable, t types.Type) (*Value, error) {
	parent, err := r.anyField(at, v, "Context")
	if err != nil {
		return nil, err
	}
	canceled, err := r.field(at, v, "err.v")
	if err != nil {
		return nil, err
	}
	cancel := Local{"cancel"}
	code := Code{Self{}, ", ", cancel, " := ", std("context", "WithCancel"), "(", parent, ")\n"}
	if canceled.Nil {
		code = append(code, "t.Cleanup(", cancel, ")")
	} else {
		code = append(code, cancel, "()")
	}
	return &Value{Type: t, Form: Declared, Code: code}, nil
}

// timerCtx makes a context like it, whose time is not up.
func timerCtx(r *Reader, at site, v debugger.Variable, t types.Type) (*Value, error) {
	inner, err := r.field(at, v, "cancelCtx")
	if err != nil {
		return nil, err
	}
	return cancelCtx(r, at, inner, t)
}

func valueCtx(r *Reader, at site, v debugger.Variable, t types.Type) (*Value, error) {
	parent, err := r.anyField(at, v, "Context")
	if err != nil {
		return nil, err
	}
	key, err := r.anyField(at, v, "key")
	if err != nil {
		return nil, err
	}
	held, err := r.anyField(at, v, "val")
	return made(t, std("context", "WithValue"), "(", parent, ", ", key, ", ", held, ")"), err
}
