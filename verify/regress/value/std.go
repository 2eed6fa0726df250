package value

import (
	"go/types"
	"strings"

	"github.com/pausetui/pausetui/debugger"
)

func testingT(_ *Reader, _ site, _ debugger.Variable, t types.Type) (*Value, error) {
	return made(t, "t"), nil
}

func userinfo(r *Reader, at site, v debugger.Variable, t types.Type) (*Value, error) {
	name, err := r.textField(at, v, "username")
	if err != nil {
		return nil, err
	}
	set, err := r.field(at, v, "passwordSet")
	if err != nil {
		return nil, err
	}
	if set.Value == "false" {
		return made(t, std("net/url", "User"), "(", Quote(name), ")"), nil
	}
	password, err := r.textField(at, v, "password")
	return made(t, std("net/url", "UserPassword"), "(", Quote(name), ", ", Quote(password), ")"), err
}

func compiled(r *Reader, at site, v debugger.Variable, t types.Type) (*Value, error) {
	expr, err := r.textField(at, v, "expr")
	return made(t, std("regexp", "MustCompile"), "(", Quote(expr), ")"), err
}

// slogger makes a logger that writes somewhere: what is logged does not matter.
func slogger(_ *Reader, _ site, _ debugger.Variable, t types.Type) (*Value, error) {
	return made(t, std("log/slog", "Default"), "()"), nil
}

func logger(r *Reader, at site, v debugger.Variable, t types.Type) (*Value, error) {
	if v.Addr == r.address("log.std") {
		return made(t, std("log", "Default"), "()"), nil
	}
	out, err := r.anyField(at, v, "out")
	if err != nil {
		return nil, err
	}
	flags, err := r.intField(at, v, "flag.v")
	if err != nil {
		return nil, err
	}
	prefix := ""
	kept, err := r.field(at, v, "prefix.v")
	if err != nil {
		return nil, err
	}
	if !kept.Nil {
		text, err := r.evaluate(at, `*(*"string")(`+strings.TrimSuffix(strings.TrimPrefix(kept.Value, "unsafe.Pointer("), ")")+")")
		if err != nil {
			return nil, err
		}
		if prefix, err = r.text(at, text); err != nil {
			return nil, err
		}
	}
	return made(t, std("log", "New"), "(", out, ", ", Quote(prefix), ", ", logFlags(flags), ")"), nil
}

// logNames of package log, by their bits.
var logNames = []string{"Ldate", "Ltime", "Lmicroseconds", "Llongfile", "Lshortfile", "LUTC", "Lmsgprefix"}

func logFlags(flags int64) Code {
	if flags == 3 {
		return Code{std("log", "LstdFlags")}
	}
	var code Code
	for i, name := range logNames {
		if flags&(1<<i) == 0 {
			continue
		}
		if len(code) > 0 {
			code = append(code, " | ")
		}
		code = append(code, std("log", name))
	}
	if len(code) == 0 {
		return Code{"0"}
	}
	return code
}
