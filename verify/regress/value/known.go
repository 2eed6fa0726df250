package value

import (
	"go/types"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger"
)

// known makes a value of a type whose fields belong to another package. v is
// the struct itself, also where t is a pointer to it.
type known func(r *Reader, at site, v debugger.Variable, t types.Type) (*Value, error)

// knownTypes are found by their static type, knownDynamic by the type of what an
// interface holds.
var knownTypes, knownDynamic map[string]known

func init() {
	knownTypes = map[string]known{
		"sync.Mutex":     unlocked,
		"sync.RWMutex":   unlocked,
		"sync.WaitGroup": waitGroup,
		"sync.Once":      once,
		"*sync.Cond":     pointed(cond),

		"sync/atomic.Bool":    atomicBool,
		"sync/atomic.Int32":   atomicNumber,
		"sync/atomic.Int64":   atomicNumber,
		"sync/atomic.Uint32":  atomicNumber,
		"sync/atomic.Uint64":  atomicNumber,
		"sync/atomic.Value":   atomicValue,
		"sync/atomic.Pointer": atomicPointer,

		"time.Time":      moment,
		"*time.Location": pointed(location),

		"strings.Builder": builder,
		"bytes.Buffer":    buffer,
		"*bytes.Buffer":   pointed(newBuffer),
		"*strings.Reader": pointed(stringsReader),
		"*bytes.Reader":   pointed(bytesReader),
		"*bufio.Reader":   pointed(bufioReader),
		"*bufio.Scanner":  pointed(bufioScanner),
		"*bufio.Writer":   pointed(bufioWriter),
		"*os.File":        pointed(osFile),

		"math/big.Int":      bigInt,
		"*math/big.Int":     pointed(newBigInt),
		"*net/url.Userinfo": pointed(userinfo),
		"*regexp.Regexp":    pointed(compiled),
		"*log.Logger":       pointed(logger),
		"*log/slog.Logger":  pointed(slogger),
		"*testing.T":        pointed(testingT),
		"*net/http.Request": pointed(httpRequest),

		"*net/http/httptest.ResponseRecorder": pointed(responseWriter),
	}
	knownDynamic = map[string]known{
		"*errors.errorString": pointed(errorString),
		"*errors.joinError":   pointed(joinError),
		"*fmt.wrapError":      pointed(wrapError),
		"*fmt.wrapErrors":     pointed(wrapErrors),

		"context.backgroundCtx": background,
		"context.todoCtx":       todo,
		"*context.cancelCtx":    pointed(cancelCtx),
		"*context.timerCtx":     pointed(timerCtx),
		"*context.valueCtx":     pointed(valueCtx),

		"*net/http.response": pointed(responseWriter),
		"*os.File":           pointed(dynamicFile),

		"*net/http/httptest.ResponseRecorder": pointed(responseWriter),
	}
}

// pointed makes what a pointer points at, once for all pointers to it.
func pointed(make known) known {
	return func(r *Reader, at site, v debugger.Variable, t types.Type) (*Value, error) {
		targets, err := r.children(at, v)
		if err != nil {
			return nil, err
		}
		if len(targets) != 1 {
			return nil, at.refuse("points at what cannot be read")
		}
		out, have := r.object(targets[0].Addr, "*"+targets[0].FullType)
		if have {
			return out, nil
		}
		found, err := make(r, at, targets[0], t)
		if err != nil {
			return nil, err
		}
		*out = *found
		return out, nil
	}
}

// field returns a field of a struct; the name may be a path, "fd.name".
func (r *Reader) field(at site, v debugger.Variable, name string) (debugger.Variable, error) {
	for part := range strings.SplitSeq(name, ".") {
		children, err := r.children(at, v)
		if err != nil {
			return v, err
		}
		v.Children = children
		child, ok := v.Child(part)
		if !ok {
			return v, at.refuse("is a %s without the field %s", v.Type, part)
		}
		if child.Unreadable != "" {
			return v, at.refuse("cannot be read: %s", child.Unreadable)
		}
		v = child
	}
	return v, nil
}

// intField returns an integer field.
func (r *Reader) intField(at site, v debugger.Variable, name string) (int64, error) {
	f, err := r.field(at, v, name)
	if err != nil {
		return 0, err
	}
	text := debugger.Number(f.Value)
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		u, wrong := strconv.ParseUint(text, 10, 64)
		if wrong != nil {
			return 0, at.refuse("has the field %s, which cannot be read as a number", name)
		}
		n = int64(u) // its bits count
	}
	return n, nil
}

// textField returns a field that is a string.
func (r *Reader) textField(at site, v debugger.Variable, name string) (string, error) {
	f, err := r.field(at, v, name)
	if err != nil {
		return "", err
	}
	return r.text(at, f)
}

// bytesField returns a field that is a slice of bytes, as text.
func (r *Reader) bytesField(at site, v debugger.Variable, name string) (string, error) {
	f, err := r.field(at, v, name)
	if err != nil || f.Nil || f.Len == 0 {
		return "", err
	}
	if r.bytes += int(min(f.Len, maxBytes+1)); r.bytes > maxBytes {
		return "", at.refuse("and what it refers to hold more than %d kB of text", maxBytes>>10)
	}
	return r.chunks(at, f, "string((%s)[%d:%d])")
}

// anyField reads a field whose type is an interface.
func (r *Reader) anyField(at site, v debugger.Variable, name string) (*Value, error) {
	f, err := r.field(at, v, name)
	if err != nil {
		return nil, err
	}
	return r.dynamic(at.field(name), f, nil)
}

// address returns the address that a variable of pointer type, named by an
// expression, holds; 0 when there is none.
func (r *Reader) address(expr string) uint64 {
	addr, known := r.globals[expr]
	if known {
		return addr
	}
	if v, err := r.Inspect.Evaluate(r.ctx, r.At, expr); err == nil && v.Unreadable == "" {
		if target := v.Deref(); target.Addr != v.Addr {
			addr = target.Addr
		}
	}
	r.globals[expr] = addr
	return addr
}

// variable returns the address of a package-level variable; 0 when there is none.
func (r *Reader) variable(name string) uint64 {
	addr, known := r.globals["&"+name]
	if known {
		return addr
	}
	if v, err := r.Inspect.Evaluate(r.ctx, r.At, name); err == nil {
		addr = v.Addr
	}
	r.globals["&"+name] = addr
	return addr
}

func withAfter(t types.Type, parts ...any) *Value {
	return &Value{Type: t, After: []Code{parts}}
}
