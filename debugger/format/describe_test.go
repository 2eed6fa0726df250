package format

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

// structure is a loaded value of a structure.
func structure(typ string, fields ...debugger.Variable) debugger.Variable {
	return debugger.Variable{Type: typ[strings.LastIndexByte(typ, '/')+1:], FullType: typ, Kind: reflect.Struct, Children: fields, Len: int64(len(fields))}
}

// in makes a value a field.
func in(name string, v debugger.Variable) debugger.Variable { return named(v, name) }

func number(name string, n int64) debugger.Variable {
	return debugger.Variable{Name: name, Kind: reflect.Int64, Type: "int64", Value: fmt.Sprint(n)}
}

func text(name, s string) debugger.Variable {
	return debugger.Variable{Name: name, Kind: reflect.String, Type: "string", Value: s, Len: int64(len(s))}
}

// octets is a loaded slice of bytes.
func octets(typ string, data ...byte) debugger.Variable {
	v := debugger.Variable{Type: typ, FullType: typ, Kind: reflect.Slice, Len: int64(len(data))}
	for _, b := range data {
		v.Children = append(v.Children, debugger.Variable{Kind: reflect.Uint8, Value: fmt.Sprint(b)})
	}
	return v
}

// pointing is an interface, or a pointer of a type, with what it leads to.
func pointing(kind reflect.Kind, typ string, v debugger.Variable) debugger.Variable {
	return debugger.Variable{Kind: kind, Type: typ, FullType: typ, Children: []debugger.Variable{v}}
}

func failure(typ string, fields ...debugger.Variable) debugger.Variable {
	return pointing(reflect.Interface, "error", pointing(reflect.Pointer, "*"+typ, structure(typ, fields...)))
}

func mutexOf(state int64) debugger.Variable {
	return structure("sync.Mutex", in("mu", structure("internal/sync.Mutex", number("state", state), number("sema", 0))))
}

func rwMutexOf(readers, leaving, writers int64) debugger.Variable {
	return structure("sync.RWMutex", in("w", mutexOf(writers<<3)),
		in("readerCount", structure("sync/atomic.Int32", number("v", readers))), in("readerWait", structure("sync/atomic.Int32", number("v", leaving))))
}

func TestValuesMeanMoreThanTheirFields(t *testing.T) {
	counter := func(n, waiting int64) debugger.Variable {
		return structure("sync.WaitGroup", in("state", structure("sync/atomic.Uint64", number("v", n<<32|waiting))))
	}
	for want, v := range map[string]debugger.Variable{
		"unlocked":                     mutexOf(0),
		"locked":                       mutexOf(1),
		"locked, 2 waiting":            mutexOf(1 | 2<<3),
		"locked, 1 waiting, starving":  mutexOf(1 | 4 | 1<<3),
		"read-locked 1 time":           rwMutexOf(1, 0, 0),
		"write-locked":                 rwMutexOf(-maxReaders, 0, 0),
		"write-locked, 3 readers wait": rwMutexOf(3-maxReaders, 0, 0),
		"write-locked, 1 writer waits": rwMutexOf(-maxReaders, 0, 1),
		"counter 3":                    counter(3, 0),
		"counter 1, 2 waiting":         counter(1, 2),
		"done":                         structure("sync.Once", in("done", structure("sync/atomic.Bool", number("v", 1)))),
		"1.5s (1500000000)":            {Type: "time.Duration", FullType: "time.Duration", Kind: reflect.Int64, Value: "1500000000"},
		"2026-01-02 03:04:05.000000007 UTC": {Type: "time.Time", FullType: "time.Time", Kind: reflect.Struct, Value: "2026-01-02T03:04:05Z, +7",
			Children: []debugger.Variable{number("wall", 7)}},
		"true":              structure("sync/atomic.Bool", number("v", 1)),
		"10.0.0.1":          octets("net.IP", 10, 0, 0, 1),
		"02:00:00:00:00:ff": octets("net.HardwareAddr", 2, 0, 0, 0, 0, 255),
		"127.0.0.1:80":      structure("net.TCPAddr", in("IP", octets("net.IP", 127, 0, 0, 1)), number("Port", 80), text("Zone", "")),
		"NULL":              structure("database/sql.NullString", text("String", ""), debugger.Variable{Name: "Valid", Kind: reflect.Bool, Value: "false"}),
		`"Ann"`:             structure("database/sql.NullString", text("String", "Ann"), debugger.Variable{Name: "Valid", Kind: reflect.Bool, Value: "true"}),
	} {
		if got, err := Describe(t.Context(), nil, v); err != nil || got.Text != want {
			t.Errorf("%s: %q, %v; want %q", v.FullType, got.Text, err, want)
		}
		pointer := pointing(reflect.Pointer, "*"+v.FullType, v)
		if got, err := Describe(t.Context(), nil, pointer); err != nil || got.Text != want {
			t.Errorf("a pointer to %s: %q, %v; want %q", v.FullType, got.Text, err, want)
		}
		if !Means(v.FullType) {
			t.Errorf("%s means nothing", v.FullType)
		}
	}
}

func TestAnErrorIsShownWithItsChain(t *testing.T) {
	cause := failure("errors.errorString", text("s", "no space left"))
	path := failure("io/fs.PathError", text("Op", "write"), text("Path", "/tmp/x"), in("Err", cause))
	top := failure("fmt.wrapError", text("msg", "save: write /tmp/x: no space left"), in("err", path))
	got, err := Describe(t.Context(), nil, top)
	if err != nil || got.Text != "save: write /tmp/x: no space left" {
		t.Fatalf("%q, %v", got.Text, err)
	}
	var rows []string
	for _, r := range got.Rows {
		rows = append(rows, r.Name+" "+r.Type+": "+r.Value)
	}
	want := []string{"is *fmt.wrapError: save: write /tmp/x: no space left", "wraps *io/fs.PathError: write /tmp/x: no space left", "wraps *errors.errorString: no space left"}
	if !slices.Equal(rows, want) {
		t.Errorf("rows %q", rows)
	}
}

func TestAChainThatNeverEndsIsCut(t *testing.T) {
	err := failure("errors.errorString", text("s", "x"))
	for range 200 {
		err = failure("fmt.wrapError", text("msg", "x"), in("err", err))
	}
	if got, e := Describe(t.Context(), nil, err); e != nil || len(got.Rows) > maxDepth {
		t.Errorf("%d rows, %v", len(got.Rows), e)
	}
}

func TestWhatIsNotMadeAsExpectedIsPlain(t *testing.T) {
	for name, v := range map[string]debugger.Variable{
		"another layout":            structure("sync.Mutex", number("locked", 1)),
		"unreadable":                {Type: "sync.Mutex", FullType: "sync.Mutex", Kind: reflect.Struct, Unreadable: "gone"},
		"not set yet":               func() debugger.Variable { v := mutexOf(1); v.Unset = true; return v }(),
		"nil":                       {Type: "*sync.Mutex", FullType: "*sync.Mutex", Kind: reflect.Pointer, Nil: true},
		"a type of the user":        structure("main.Mutex", number("state", 1)),
		"an address of three bytes": octets("net.IP", 1, 2, 3),
		"no number":                 {Type: "time.Duration", FullType: "time.Duration", Kind: reflect.Int64, Value: "x"},
	} {
		if got, err := Describe(t.Context(), nil, v); !errors.Is(err, ErrPlain) {
			t.Errorf("%s: %q, %v", name, got.Text, err)
		}
	}
}

// shelf is a Reader of prepared values.
type shelf map[string]debugger.Variable

func (s shelf) Evaluate(_ context.Context, expr string) (debugger.Variable, error) {
	if v, ok := s[expr]; ok {
		return v, nil
	}
	return debugger.Variable{}, fmt.Errorf("no %s", expr)
}

func (s shelf) Children(_ context.Context, v debugger.Variable, _ debugger.Page) ([]debugger.Variable, error) {
	return s[v.Expr].Children, nil
}

func (s shelf) ReadMemory(_ context.Context, addr uint64, n int) ([]byte, error) {
	for _, v := range s {
		if v.Base == addr {
			return []byte(v.Value)[:n], nil
		}
	}
	return nil, errors.New("nothing there")
}

func TestWhatIsNotLoadedIsReadOn(t *testing.T) {
	partly := debugger.Variable{Type: "sync.Mutex", FullType: "sync.Mutex", Kind: reflect.Struct, Expr: "*p", Unloaded: 1}
	if _, err := Describe(t.Context(), nil, partly); !errors.Is(err, ErrMore) {
		t.Errorf("without a reader: %v", err)
	}
	r := shelf{"(*p).mu": structure("internal/sync.Mutex", number("state", 1))}
	if got, err := Describe(t.Context(), r, partly); err != nil || got.Text != "locked" {
		t.Errorf("%q, %v", got.Text, err)
	}
	if _, err := Describe(t.Context(), shelf{}, partly); !errors.Is(err, ErrPlain) {
		t.Errorf("what cannot be read: %v", err)
	}
	const whole = "a message that was loaded in part"
	long := text("s", "a message")
	long.Len, long.Base = int64(len(whole)), 0x1000
	r = shelf{"": {Base: 0x1000, Value: whole}}
	if got, err := Describe(t.Context(), r, failure("errors.errorString", long)); err != nil || got.Text != whole {
		t.Errorf("%q, %v", got.Text, err)
	}
}
