package redact

import (
	"fmt"
	"strings"
	"testing"
)

// file is a program around declarations.
func file(decls string) string { return "package main\n\n" + decls + "\n" }

// inGo are the ways in which a program gives a value to a name; %s is the secret.
var inGo = map[string]string{
	"a field of a name":     `var a = slog.Attr{Key: "password", Value: slog.StringValue("swordfish")}`,
	"one of bytes":          `var e = EnvVar{Value: []byte("swordfish"), Name: "DB_PASSWORD"}`,
	"one by a pointer":      `var e = EnvVar{Name: "api_token", Value: new(ptr("swordfish"))}`,
	"a phrase":              `const adminPassword = "Correct Swordfish Battery swordfish"`,
	"a sign first":          `var m = map[string]string{"password": "$1swordfish", "api_token": "{1swordfish}"}`,
	"a sign of a sum":       `func f() { password := "+swordfish" + x; setPassword(",swordfish"); use(password == ")swordfish") }`,
	"a default of a tag":    "type Config struct {\n\tPassword string `env:\"P\" envDefault:\"swordfish\"`\n}",
	"one named by the tag":  "type Config struct {\n\tP string `env:\"DB_PASSWORD\" default:\"swordfish\"`\n}",
	"a tag in quotes":       "type Config struct {\n\tPassword string \"value:\\\"swordfish\\\"\"\n}",
	"a tag of a field":      "type Config struct {\n\tDB struct {\n\t\tPassword string `default_value:\"swordfish\"`\n\t}\n}",
	"a parameter":           "func login(user, password string) bool { return user == password }\n\nvar ok = login(\"bob\", \"swordfish\")",
	"one of a method":       "func (c *client) login(user, password string) {}\n\nfunc f() { c.login(\"bob\", \"swordfish\") }",
	"a named result":        `func creds() (user, password string) { return "bob", "swordfish" }`,
	"a type of a secret":    "type Password string\n\nvar list = []Password{\"swordfish\"}",
	"a struct of that name": `var s = Secret{Value: "swordfish", Kind: "opaque"}`,
	"a list of these":       `var s = []Secret{{Value: "swordfish", Kind: "opaque"}}`,
	"a method that stores":  `func f() { password.Store("swordfish") }`,
	"a sum with its name":   `var body = "user=bob&password=" + "swordfish"`,
	"letters appended":      `func f() { password = append(password[:0], 'c', 'a', 'n', '1', '0') }`,
	"a number":              "const password = 48151623",
	"a negative one":        "var password = -48151623",
	"a hexadecimal one":     "var password = 0x2DEBC77",
	"one with signs":        "var password = 48_151_623",
	"a typed one":           "const longPassword time.Duration = 4815162342",
	"a float":               "var pPassword float64 = 31337.4242",
	"a complex":             "var pPassword = 31337.4242i",
	"numbers":               "var abPassword = []uint16{0x5a, 0x65, 0x62}",
	"an array":              "var acPassword = [4]int{4, 8, 1, 5}",
	"characters":            "var chPassword = [...]rune{'c', 'a', 'n', '1', '0'}",
	"a character":           "var password = '🐎'",
	"a list":                `var user, dbPassword = "bob", "swordfish"`,
	"a list of constants":   "const (\n\tuser, dbPassword = \"bob\", \"swordfish\"\n)",
	"a list in a function":  `func f() { user, apiKey := "bob", "swordfish"; use(user, apiKey) }`,
	"with an error":         `func f() { password, err := "swordfish", error(nil); use(password, err) }`,
	"parentheses":           `var password = ("swordfish")`,
	"a conversion":          `var password = string("swordfish")`,
	"of bytes":              "type Bytes []byte\n\nvar password = Bytes([]byte(\"swordfish\"))",
	"a comment":             `var password = /* x */ "swordfish"`,
	"an interface":          `var password interface{} = "swordfish"`,
	"a format":              `var password = fmt.Sprintf("%s", "swordfish")`,
	"another default":       `var password = cmp.Or(os.Getenv("PASSWORD"), "swordfish")`,
	"a default of a call":   `var p = getenv("DB_PASSWORD", "swordfish9")`,
	"an argument":           `var password = read("swordfish9")`,
	"trimmed":               `var password = strings.TrimSpace("swordfish")`,
	"a pointer":             `var password = ptr("swordfish")`,
	"a sum":                 "var password = \"sword\" +\n\t\"fish-1\"",
	"a sum with another":    `var password = *new(string) + "swordfish"`,
	"an assignment op":      `func f() { password += "swordfish" }`,
	"lines":                 "var password = `swordfish\nand trombone`",
	"a slice":               `var password = []string{"swordfish", "trombones"}`,
	"a map":                 `var password = map[string]string{"alice": "swordfish"}`,
	"keys of a map":         `var password = map[string]bool{"Sword, fish!": true}`,
	"code in a key":         `var password = map[string]string{"swordfish9": "alice"}`,
	"an element":            `func f() { passwords["alice"] = "swordfish" }`,
	"an entry":              `func f() { m["password"] = string("swordfish") }`,
	"unnamed fields":        "type cred struct{ User, Password string }\n\nvar creds = []cred{{\"bob\", \"swordfish\"}, {\"al\", \"trombones\"}}",
	"a pointer to fields":   "type T struct{ password string }\n\nfunc newT() *T { return &T{\"swordfish\"} }",
	"fields without a type": `var cases = []struct{ name, password string }{{"bob", "swordfish"}}`,
	"fields by key":         "type cred struct{ User, Password string }\n\nvar creds = map[string]*cred{\"x\": {\"bob\", \"swordfish\"}}",
	"a field":               `var c = cred{User: "al", Password: string("swordfish")}`,
	"a value of a struct":   `var password = sql.NullString{String: "swordfish", Valid: true}`,
	"code in a struct":      `var password = sealed{Text: "swordfish9", Kind: "argon"}`,
	"compared":              `func f(password string) bool { return password == "swordfish" }`,
	"compared, turned":      `func f(c conf) bool { return "swordfish" != c.Password }`,
	"a selector":            `func f(c conf) bool { return c.Password.Value == "swordfish" }`,
	"bytes compared":        `func f(b []byte, password string) bool { return string(b) == "x" || strings.ToLower(password) == "swordfish" }`,
	"compared by a call":    `func f(password string) bool { return subtle.ConstantTimeCompare([]byte(password), []byte("swordfish")) == 1 }`,
	"EqualFold":             `func f(password string) bool { return strings.EqualFold("swordfish", password) }`,
	"a test":                `func f(t *testing.T) { assert.Equal(t, "swordfish", cfg.Password) }`,
	"a number compared":     `func f(password int) bool { return password == 48151623 }`,
	"a case":                "func f(password string) bool {\n\tswitch password {\n\tcase \"x\", \"swordfish\":\n\t\treturn true\n\t}\n\treturn false\n}",
	"a case of no tag":      "func f(password string) bool {\n\tswitch {\n\tcase password == \"swordfish\":\n\t\treturn true\n\t}\n\treturn false\n}",
	"a case of a token":     "func f(token string) {\n\tswitch token {\n\tcase \"swordfish9\":\n\t}\n}",
	"a setter":              `func f() { setPassword("swordfish") }`,
	"a setter of a value":   `func f(c *conf) { c.SetDBPassword2("bob", "swordfish") }`,
	"a setter by name":      `func f() { viper.SetDefault("db.password", "swordfish") }`,
	"a flag":                `var p = flag.String("password", "swordfish", "what opens it")`,
	"an option":             `var o = client.WithAPIKey("swordfish")`,
	"a constructor":         `var a = ssh.Password("swordfish")`,
	"basic authentication":  `func f() { req.SetBasicAuth("bob", "swordfish") }`,
	"a key by a constant":   `var m = map[string]string{keyPassword: "swordfish"}`,
	"another function":      `func f() { u := url.UserPassword("bob", "swordfish9"); use(u) }`,
	"beside a secret":       `func f(password string) { login("swordfish9", password) }`,
	"returned":              `func dbPassword() string { return "swordfish" }`,
	"returned, with errors": `func (c conf) Password() (string, error) { return "swordfish", nil }`,
	"returned to a name":    `var password = func() string { return "swordfish" }()`,
	"ranged over":           `func f() { for _, password := range []string{"swordfish"} { use(password) } }`,
	"sent":                  `func f() { passwords <- "swordfish" }`,
	"in a condition":        `func f() { if password := ("swordfish"); password != "" { use(password) } }`,
	"a parsed number":       `var passwords = []int{48151623}`,
	"a pair":                `var args = []string{"-x", "db_password", "swordfish9", "y"}`,
	"an element by a name":  `func f() bool { return m["password"] == "swordfish" }`,
}

// secretParts are what must be left of none of the secrets above.
var secretParts = []string{"swordfish", "trombone", "Sword, fish", `"sword"`, "fish-1", "48151623", "48_151", "2DEBC77", "48151", "31337", "0x5a", "4, 8", "🐎", "'c', 'a'"}

func TestSecretsInGo(t *testing.T) {
	r := New(Settings{}, nil)
	for name, decl := range inGo {
		numbered, diff := "", "@@ -1,3 +1,3 @@\n"
		for i, l := range strings.Split(file(decl), "\n") {
			numbered += fmt.Sprintf("%d\t%s\n", i+1, l)
			diff += "+" + l + "\n"
		}
		for form, in := range map[string]string{
			"a file": file(decl), "declarations": decl, "a block": "The program:\n\n```go\n" + decl + "\n```\n\nIt is \"wrong\".", "numbered": "main.go\n" + numbered, "a diff": "--- a\n+++ b\n" + diff,
			"a file with a mistake": file(decl) + "\nfunc g( {\n", "cut off": "```go\n" + decl + "\nfunc g() {\n\tif x {\n```\n", "begun in a function": "main.go\n7\t\treturn x\n8\t}\n" + numbered[strings.Index(numbered, "3\t"):],
		} {
			got, found := r.Text(in)
			for _, part := range secretParts {
				if strings.Contains(got, part) {
					t.Errorf("%s, %s: %q is left in %s", name, form, part, got)
				}
			}
			if again, _ := r.Text(got); again != got {
				t.Errorf("%s, %s: a second pass makes %s of %s", name, form, again, got)
			}
			if back, _, lost := r.Restore(got, in); back != in || lost || len(found) == 0 {
				t.Errorf("%s, %s: restored %s (lost %v)", name, form, back, lost)
			}
		}
	}
}

// What parsers and configurations have stays, and what is only near a name.
func TestNoSecretsInGo(t *testing.T) {
	r := New(Settings{Entropy: true}, nil)
	for _, decl := range []string{
		`func f(token string) bool { return token == "identifier" || token == "function" }`,
		"func f(token string) {\n\tswitch token {\n\tcase \"return\", \"continue\":\n\t}\n}",
		`func (p *parser) nextToken() string { return "identifier" }`,
		`var tokens = []string{"identifier", "operator"}`,
		`var tokens = map[string]int{"identifier": 1, "operator": 2000}`,
		`var tokens = []int{1000, 2000, 3000, 4000}`,
		`func f() { p.addToken("identifier"); p.expectToken("function", "arguments") }`,
		`const maxPassword = 4096`,
		`const ERROR_NO_PASSWORD Errno = 8620`,
		"var tokens = []elem{{token.INT, \"0xcafebabe\"}, {token.IDENT, \"ident2fier\"}}",
		`func f() { token := profile.String("aws_session_token"); use(token) }`,
		`const passwordLength, tokenLimit = 4096, 128000`,
		`func f(password string) bool { return len(password) < 1000 }`,
		`func f(password string) error { return fmt.Errorf("the password %q of 2 words is wrong", password) }`,
		`func validatePassword(p string) error { return errors.New("too short") }`,
		`func f() { password := os.Getenv("DB_PASSWORD"); use(password) }`,
		`func f() { token := r.Header.Get("Authorization"); use(token) }`,
		`func f() { token = strings.TrimPrefix(token, "Bearer ") }`,
		`func f() { password := flag.String("password", "", "the password of the account2"); use(password) }`,
		`func f(password string) { http.Post("https://example.com/login2", "application/json", password) }`,
		`func f(password string) { log.Println("login as administrator", password) }`,
		`var passwordField = widget{Kind: "password", Label: "Passwort"}`,
		`var secrets = map[string]string{"database": path}`,
		"type T struct {\n\tPassword string `json:\"password2\" yaml:\"db_password2\"`\n}",
		`import secret "example.com/secret2/client"`,
		`func f() { if credentials.Type == "x" { use(credentials["username"]) } }`,
		`func f() { x := cred{Kind: "password", Salt: "administrator"}; use(x) }`,
		`func passwordKind() string { return "argon2id" }`,
		"type T struct {\n\tPassword string `form:\"password\" label:\"Your password2\" default:\"${DB_PASSWORD}\"`\n\tShowPassword bool `default:\"false\"`\n}",
		`var t = []Token{{Kind: "identifier", Value: "function"}, {"operator", "assign"}}`,
		`var s = corev1.Secret{ObjectMeta: meta{Name: "database-settings"}, Type: "Opaque"}`,
		"func expect(token string) {}\n\nfunc f() { expect(\"function\") }",
		"func login(user, password string) {}\n\nfunc f() { login(\"administrator\", os.Getenv(\"DB_PASSWORD\")) }",
		`var list = []Token{ProcInst{"", []byte("instruction?>")}}`,
		"func test(authKeys []byte, comment string) {}\n\nfunc f() { test([]byte(\"x-rsa \"+key), \" user@host\") }",
		`var passes = []Pass{{"deadcode", run}, {"inlining", run}}`,
		`func f() { tokens.Add("function"); x := "password is " + "missing" }`,
	} {
		for _, in := range []string{file(decl), decl, "```go\n" + decl + "\n```\n"} {
			if got, found := r.Text(in); got != in {
				t.Errorf("%s: %v", got, found)
			}
		}
	}
}
