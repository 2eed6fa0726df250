package prompts

import (
	"context"
	"crypto/sha256"
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/prompts/redact"
	"github.com/pausetui/pausetui/source/evidence"
)

// valuesOf is an inspector that knows some expressions.
type valuesOf map[string]debugger.Variable

func (v valuesOf) Frames(context.Context, debugger.GoroutineID, debugger.Page) ([]debugger.Frame, bool, error) {
	return nil, false, nil
}
func (v valuesOf) Load(context.Context, debugger.FrameRef) (debugger.Frame, error) {
	return debugger.Frame{Loaded: true, Locals: []debugger.Variable{v["u"], v["n"], v["none"]}}, nil
}
func (v valuesOf) Evaluate(_ context.Context, _ debugger.FrameRef, expr string) (debugger.Variable, error) {
	if found, ok := v[expr]; ok {
		return found, nil
	}
	return debugger.Variable{}, debugger.ErrGone
}
func (v valuesOf) Children(context.Context, debugger.FrameRef, debugger.Variable, debugger.Page) ([]debugger.Variable, error) {
	return v["u"].Children, nil
}
func (v valuesOf) Goroutines(context.Context, debugger.Page) ([]debugger.Goroutine, bool, error) {
	return nil, false, nil
}

func text(name, value string) debugger.Variable {
	return debugger.Variable{Name: name, Type: "string", Kind: reflect.String, Value: value, Len: int64(len(value))}
}

func people() valuesOf {
	user := debugger.Variable{Name: "u", Type: "main.User", Kind: reflect.Struct, Children: []debugger.Variable{text("Name", "Ada Lovelace"), text("Town", "London")}}
	admin := debugger.Variable{Name: "admin", Type: "*main.Admin", Kind: reflect.Pointer, Children: []debugger.Variable{{Type: "main.Admin", Kind: reflect.Struct,
		Children: []debugger.Variable{text("Role", "head nurse"), {Name: "User", Type: "main.User", Kind: reflect.Struct, Children: user.Children}}}}}
	return valuesOf{"u": user, "admin": admin, "admin.Name": user.Children[0], "admin.Role": admin.Children[0].Children[0], "u.Name": user.Children[0], "(*u).Name": user.Children[0], `beds["a b"]`: user, `beds["a b"].Name`: user.Children[0],
		`any.(*User)`: user, `any.(*User).Name`: user.Children[0], "n": text("n", "forty"), "patientID": text("patientID", "P-77812"),
		"none": {Name: "none", Type: "*main.User", Kind: reflect.Pointer, Nil: true}}
}

func TestValuesAreHiddenByNameAndType(t *testing.T) {
	screen := NewScreen(redact.New(redact.Settings{Names: []string{"patient*"}, Types: []string{"User"}}, nil))
	target := people()
	c := screen.Case(evidence.Case{Inspect: target, Stop: debugger.Stop{
		Panic:  &debugger.Panic{Message: "no bed for Ada Lovelace", Value: debugger.Variable{Type: "main.User", Kind: reflect.Struct, Children: target["u"].Children}},
		Frames: []debugger.Frame{{Function: "main.main", Loaded: true, Args: []debugger.Variable{target["u"], target["patientID"]}}},
	}})
	at := debugger.FrameRef{}
	seen := showVariables(c.Stop.Frames[0].Variables()) + Value(c.Stop.Panic.Value)
	f, _ := c.Inspect.Load(t.Context(), at)
	seen += showVariables(f.Variables())
	for _, expr := range []string{"u", "u.Name", "(*u).Name", `beds["a b"].Name`, `any.(*User).Name`, "patientID", "admin.Name", "admin.Role"} {
		v, err := c.Inspect.Evaluate(t.Context(), at, expr)
		if err != nil {
			t.Fatal(err)
		}
		seen += Value(v)
	}
	children, _ := c.Inspect.Children(t.Context(), at, target["u"], debugger.Page{})
	seen += showVariables(children)
	for _, secret := range []string{"Ada", "London", "77812"} {
		if strings.Contains(seen, secret) {
			t.Errorf("%q is left in %s", secret, seen)
		}
	}
	if !strings.Contains(seen, "forty") || !strings.Contains(seen, "head nurse") || !strings.Contains(seen, "nil *main.User") || !strings.Contains(seen, "[hidden by redact.types]") {
		t.Errorf("too much is hidden: %s", seen)
	}
	if got, found := screen.Text(c.Stop.Panic.Message); got == "no bed for Ada Lovelace" || len(found) != 1 {
		t.Errorf("the message still says %q", got)
	}
}

func TestMessagesAreScreened(t *testing.T) {
	screen := NewScreen(redact.New(redact.Settings{}, nil))
	in := []llm.Message{{Role: "user", Text: `password = "swordfish"`},
		{Role: "assistant", Calls: []llm.Call{{Name: "eval", Arguments: map[string]any{"expr": []any{`password == "swordfish"`, `password = "swordfish"`}}}}}}
	out := screen.Messages(in)
	got := out[0].Text + out[1].Calls[0].Arguments["expr"].([]any)[1].(string)
	if strings.Contains(got, "swordfish") || !strings.Contains(in[0].Text, "swordfish") {
		t.Errorf("%q of %+v", got, in)
	}
}

// What is a secret by its name in one text is hidden in others, however much there was that only
// looks random.
func TestSecretsAreRememberedAmongMuchThatLooksRandom(t *testing.T) {
	screen := NewScreen(redact.New(redact.Settings{Entropy: true}, nil))
	for i := range 40 {
		var log strings.Builder
		for j := range 40 {
			fmt.Fprintf(&log, "request %x is served\n", sha256.Sum256([]byte{byte(i), byte(j)}))
		}
		screen.Plain(log.String())
	}
	screen.Learn(`password = "winter is coming"`)
	if got := screen.Plain("no login with winter is coming"); strings.Contains(got, "winter") {
		t.Error(got)
	}
}

// A value in memory that goes by the name of what people think of is hidden whatever it looks
// like: the rules that tell secrets from sentences are for texts.
func TestPasswordsOfAnyFormAreHidden(t *testing.T) {
	for _, text := range []string{"Correct Horse, Battery Staple!", "Pässwörter sind schön, oder nicht", "$ecret of the $tate", "%41 of it", "<none of it>", "It must not be empty", "abc", "+1", "line\nof it", "{it}"} {
		for _, name := range []string{"password", "Password", "dbPasswd", "passphrases", "clientSecret", "pwd", "Password2", "dbPassword_1", "passwordOld", "passwordByUser", "secretValue"} {
			v := debugger.Variable{Name: name, Expr: name, Type: "string", Kind: reflect.String, Value: text, Len: int64(len(text))}
			entry := v
			entry.Name, entry.Key = fmt.Sprintf("[%q]", name), &debugger.Variable{Type: "string", Kind: reflect.String, Value: name}
			element := v
			element.Name = "[0]"
			list := debugger.Variable{Name: name, Type: "[]string", Kind: reflect.Slice, Len: 1, Children: []debugger.Variable{element}}
			for _, shown := range NewScreen(redact.New(redact.Settings{}, nil)).variables([]debugger.Variable{v, entry, list}, "") {
				if got := Value(shown); strings.Contains(got, text) || strings.Contains(got, strings.Trim(strconv.Quote(text), `"`)) {
					t.Errorf("%s %s: %s", name, shown.Type, got)
				}
			}
			if s := NewScreen(redact.New(redact.Settings{}, nil)); !s.isSecret(name, v) {
				t.Errorf("a part of %s, %q, is told", name, text)
			}
		}
	}
	for name, text := range map[string]string{"password": "", "keyPassword": "password", "headerSecret": "secret_key", "OLDPWD": "/home/user", "passwordHint": "It is a word", "passwordEnv": "DB_PASSWORD", "token": "it is a word"} {
		v := debugger.Variable{Name: name, Type: "string", Kind: reflect.String, Value: text, Len: int64(len(text))}
		if got := NewScreen(redact.New(redact.Settings{}, nil)).variables([]debugger.Variable{v}, "")[0]; got.Value != text {
			t.Errorf("%s is hidden: %s", name, got.Value)
		}
	}
}

// A value that goes by a secret's name is hidden whatever its type is: where it is
// written, the type stands between the two, or neither is near the other.
func TestNamedSecretsOfAnyTypeAreHidden(t *testing.T) {
	of := func(name, typ string, kind reflect.Kind, children ...debugger.Variable) debugger.Variable {
		return debugger.Variable{Name: name, Type: typ, Kind: kind, Len: int64(len(children)), Children: children}
	}
	number := func(name, value string) debugger.Variable {
		return debugger.Variable{Name: name, Type: "int", Kind: reflect.Int, Value: value}
	}
	var key []debugger.Variable
	for _, b := range "plover" {
		key = append(key, debugger.Variable{Type: "uint8", Kind: reflect.Uint8, Value: strconv.Itoa(int(b))})
	}
	word := text("token", "nightingale")
	word.Type = "main.Word"
	byStruct := of("m2", "map[main.K]string", reflect.Map, text(`[main.K{Name: "password"}]`, "redpoll"))
	byStruct.Children[0].Key = &debugger.Variable{Type: "main.K", Kind: reflect.Struct, Children: []debugger.Variable{text("Name", "password")}}
	byType := func(held string, key debugger.Variable) debugger.Variable {
		entry := text("["+key.Type+"{}]", held)
		entry.Key = &key
		return of("m4", "map[any]string", reflect.Map, entry)
	}
	var small []debugger.Variable
	for _, n := range []string{"141", "142", "143", "144"} {
		small = append(small, debugger.Variable{Type: "uint16", Kind: reflect.Uint16, Value: n})
	}
	keyed := func(name, typ, key string, value debugger.Variable) debugger.Variable {
		k := text("", key)
		value.Name, value.Key, value.Expr = fmt.Sprintf("[%q]", key), &k, fmt.Sprintf("%s[%q]", name, key)
		return of(name, typ, reflect.Map, value)
	}
	vars := []debugger.Variable{word, of("apiKey", "interface {}", reflect.Interface, text("", "oystercatcher")), of("pwd", "*string", reflect.Pointer, text("", "meadowlark")),
		of("secretKey", "main.Key", reflect.Slice, key...), of("tokens", "[]string", reflect.Slice, text("[0]", "quailquarrel")), of("m", "map[string]main.Word", reflect.Map, text(`["password"]`, "sandpiper")), text("n", "forty"),
		of("pair", "[2]string", reflect.Array, text("[0]", "password"), text("[1]", "goldfinch")), of("args", "[]any", reflect.Slice, text("[0]", "user"), text("[1]", "bob"), text("[2]", "db_password"), text("[3]", "hunter22x")),
		of("head", "[]string", reflect.Slice, text("[0]", "user"), text("[1]", "password"), text("[2]", "address")), of("kv", "main.KV", reflect.Struct, text("Key", "api_key"), text("Text", "bullfinch9")),
		of("flag", "flag.Flag", reflect.Struct, text("Name", "password"), text("Usage", "what opens"), of("Value", "flag.Value", reflect.Interface, of("", "*flag.stringValue", reflect.Pointer, text("", "chaffinch"))), text("DefValue", "greenfinch")),
		of("attr", "xml.Attr", reflect.Struct, of("Name", "xml.Name", reflect.Struct, text("Space", ""), text("Local", "password")), text("Value", "hawfinch")),
		of("ctx", "context.valueCtx", reflect.Struct, of("key", "any", reflect.Interface, text("", "password")), of("val", "any", reflect.Interface, text("", "linnet"))), byStruct,
		of("dbPassword", "sql.NullString", reflect.Struct, text("String", "yellowhammer"), of("Valid", "bool", reflect.Bool)), of("Password", "*main.Sealed", reflect.Pointer, of("", "main.Sealed", reflect.Struct, of("in", "main.Inner", reflect.Struct, text("Text", "bluethroat")))),
		of("passwords", "map[string]string", reflect.Map, text(`["bob"]`, "stonechat")),
		of("pass", "struct { a, b string }", reflect.Struct, text("a", "nuthatch")), byType("firecrest", of("", "main.passwordKey", reflect.Struct)),
		byType("goldcrest", of("", "any", reflect.Interface, of("", "main.passKey", reflect.Struct))), byType("rosefinch", of("", "main.userKey", reflect.Struct)), of("token", "main.Token", reflect.Struct, text("Value", "tok-5566-whinchat"), text("Kind", "identifier"), text("File", "main.go")),
		{Name: "tPassword", Type: "float64", Kind: reflect.Float64, Value: "31337.4242"}, {Name: "uPassword", Type: "complex128", Kind: reflect.Complex128, Value: "(27182.8182 + 1i)"}, number("secret2", "99112244"),
		of("abPassword", "[]uint16", reflect.Slice, small...), of("acPassword", "[4]int", reflect.Array, small...), of("ptrPassword", "*[4]int", reflect.Pointer, of("", "[4]int", reflect.Array, small...)),
		of("tokenIDs", "[]int", reflect.Slice, number("[0]", "401"), number("[1]", "402"), number("[2]", "403"), number("[3]", "404")),
		keyed("lPassword", "map[string]bool", "Zebra, hunt!", of("", "bool", reflect.Bool)), keyed("secrets", "map[string]string", "Zebra10!hunt", text("", "mallow")),
		keyed("secrets", "map[string]string", "database", text("", "x")), keyed("passwordsByID", "map[string]main.User", "Zebra11!hunt", of("", "main.User", reflect.Struct)),
		of("recorded", "main.Keys", reflect.Struct, of("Passwords", "map[string]struct {}", reflect.Map, debugger.Variable{Name: `["Zebra12!hunt"]`, Type: "struct {}", Kind: reflect.Struct})),
		of("m3", "map[string]int", reflect.Map, number(`["password"]`, "774411"), number(`["tokens"]`, "128000")), number("secret", "99112233"), number("pwd", "7"), number("password_length", "1234"), of("author", "main.Author", reflect.Struct, text("Name", "fieldfare"))}
	screen := NewScreen(redact.New(redact.Settings{Entropy: true}, nil))
	c := screen.Case(evidence.Case{Inspect: valuesOf{"x": vars[2]}, Stop: debugger.Stop{Frames: []debugger.Frame{{Loaded: true, Locals: vars}}}})
	seen := screen.Plain(showVariables(c.Stop.Frames[0].Variables()))
	for _, v := range c.Stop.Frames[0].Variables() {
		seen += v.Value + Value(v)
	}
	seen = regexp.MustCompile(`\[redacted [0-9a-f]+`).ReplaceAllString(seen, "[redacted") // their marks may hold any digits
	for _, secret := range []string{"nightingale", "oystercatcher", "meadowlark", "plover", "112", "quailquarrel", "sandpiper", "goldfinch", "hunter22x", "bullfinch9", "chaffinch", "greenfinch", "hawfinch", "linnet", "redpoll", "nuthatch", "firecrest", "goldcrest", "yellowhammer", "bluethroat", "stonechat", "whinchat", "774411", "99112233", "99112244", "31337", "27182", "141", "143", "Zebra"} {
		if strings.Contains(seen, secret) {
			t.Errorf("%q is left in %s", secret, seen)
		}
	}
	for _, left := range []string{"forty", "bob", "db_password", "address", "rosefinch", "what opens", "identifier", "main.go", "128000", "pwd int = 7", "1234", "fieldfare", "float64", "database", "403"} {
		if !strings.Contains(seen, left) {
			t.Errorf("too much is hidden, %s: %s", left, seen)
		}
	}
}

// Numbers that go by the name of any secret are hidden, whatever their type is; those called tokens
// are counts.
func TestNumbersOfAnyTypeAreHidden(t *testing.T) {
	of := func(name, typ string, kind reflect.Kind, value string, children ...debugger.Variable) debugger.Variable {
		return debugger.Variable{Name: name, Type: typ, Kind: kind, Value: value, Len: int64(len(children)), Children: children}
	}
	abs := of("abs", "math/big.nat", reflect.Slice, "", of("", "math/big.Word", reflect.Uint, "482915733"))
	key := of("", "math/big.Int", reflect.Struct, "", of("neg", "bool", reflect.Bool, "false"), abs)
	shown := NewScreen(redact.New(redact.Settings{}, nil)).variables([]debugger.Variable{
		of("apiKey", "*math/big.Int", reflect.Pointer, "", key), of("apiKeys", "[]uint64", reflect.Slice, "", of("", "uint64", reflect.Uint64, "482915734")),
		of("secretKey", "[]complex128", reflect.Slice, "", of("", "complex128", reflect.Complex128, "(482915735 + 1i)")), of("apiToken", "complex64", reflect.Complex64, "(482915736 + 1i)"),
		of("token", "float64", reflect.Float64, "482915737.25"), of("pw", "uintptr", reflect.Uintptr, "482915738"), of("signingKey", "any", reflect.Interface, "", of("", "int", reflect.Int, "482915739")),
		of("tokens", "int", reflect.Int, "128000"), of("total", "*math/big.Int", reflect.Pointer, "", of("", "math/big.Int", reflect.Struct, "", of("abs", "math/big.nat", reflect.Slice, "", of("", "math/big.Word", reflect.Uint, "77881122")))),
	}, "")
	seen := ""
	for _, v := range shown {
		seen += Value(v) + fmt.Sprintf("%+v\n", v)
	}
	if strings.Contains(seen, "48291573") || !strings.Contains(seen, "128000") || !strings.Contains(seen, "77881122") {
		t.Error(seen)
	}
}

// A page of a list of numbers is the secret as the whole list is.
func TestPagesOfNumbersAreHidden(t *testing.T) {
	for name, want := range map[string]string{"abPassword2": ofSecret, "lengths": "101"} {
		page := debugger.Variable{Children: []debugger.Variable{{Name: "[0]", Kind: reflect.Uint16, Value: "90"}, {Name: "[1]", Kind: reflect.Uint16, Value: "101"}, {Name: "[2]", Kind: reflect.Uint16, Value: "98"}}}
		c := NewScreen(redact.New(redact.Settings{}, nil)).Case(evidence.Case{Inspect: valuesOf{"u": page}})
		list := debugger.Variable{Name: name, Expr: name, Type: "[]uint16", Kind: reflect.Slice, Len: 9}
		got, err := c.Inspect.Children(t.Context(), debugger.FrameRef{}, list, debugger.Page{})
		if err != nil || got[1].Value != want {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// TestPartsOfNamedSecretsAreHidden: an expression that selects a field of a secret, or takes
// a number from one, tells as much as the whole.
func TestPartsOfNamedSecretsAreHidden(t *testing.T) {
	number := debugger.Variable{Type: "int", Kind: reflect.Int, Value: "774411"}
	values := valuesOf{"c.Password.String": text("", "yellowhammer"), `pins["password"]`: number, `int64(pins["password"])`: number, `"a" + c.Password.String`: text("", "ayellowhammer"),
		"p.token.Text": text("", "identifier"), "p.tokens": {Type: "int", Kind: reflect.Int, Value: "128000"}}
	for expr, v := range values {
		c := NewScreen(redact.New(redact.Settings{}, nil)).Guarded(evidence.Case{Inspect: values})
		got, err := c.Inspect.Evaluate(t.Context(), debugger.FrameRef{}, expr)
		if secret := !strings.HasPrefix(expr, "p."); err != nil || (got.Value != v.Value) != secret {
			t.Errorf("%s is %q, %v; a secret: %v", expr, got.Value, err, secret)
		}
	}
}
