package redact

import (
	"crypto/sha256"
	"fmt"
	"go/build"
	"go/scanner"
	gotoken "go/token"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// alphabets are what generators make secrets of.
var alphabets = []struct{ kind, of string }{
	{"lower case", lowers}, {"hexadecimal", digits + "abcdef"}, {"lower case and digits", lowers + digits},
	{"letters and digits", letters + digits}, {"base32", uppers + "234567"}, {"base64url", letters + digits + "-_"},
}

var lengths = []int{12, 16, 20, 24, 32, 40, 64}

// recall is how many in a hundred generated secrets without a telling name are
// hidden.
func recall(of string, length int, form string) int {
	r := New(Settings{Entropy: true}, nil)
	const n = 300
	found := 0
	for i := range uint64(n) {
		secret := text(i*1000+uint64(length), length, of)
		if got, _ := r.Text(fmt.Sprintf(form, secret)); !strings.Contains(got, secret) {
			found++
		}
	}
	return found * 100 / n
}

// recalls is the table of the docs.
func recalls() string {
	var b strings.Builder
	b.WriteString("| kind | where |")
	for _, n := range lengths {
		fmt.Fprintf(&b, " %d |", n)
	}
	b.WriteString("\n|---|---|" + strings.Repeat("--:|", len(lengths)) + "\n")
	for _, a := range alphabets {
		for _, where := range []struct{ name, form string }{{"in quotes", "x := %q"}, {"in a log", "got %s, and went on"}} {
			fmt.Fprintf(&b, "| %s | %s |", a.kind, where.name)
			for _, n := range lengths {
				fmt.Fprintf(&b, " %d |", recall(a.of, n, where.form))
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

// falseOnes counts the tokens of the standard library that the table of bigrams
// was not made from, and those that are hidden for looking random: names, words
// of comments, and strings as they stand.
func falseOnes(tb testing.TB) (tokens, hidden int) {
	root := filepath.Join(build.Default.GOROOT, "src")
	r := New(Settings{Entropy: true}, nil)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil || crc32.ChecksumIEEE([]byte(filepath.ToSlash(rel)))%2 == 0 {
			return err
		}
		source, err := os.ReadFile(path)
		if err != nil || len(source) > 200_000 {
			return err
		}
		tokens += wordsOf(source)
		for _, f := range r.spans(string(source)) {
			if f.kind == kindRandom {
				hidden++
			}
		}
		return nil
	})
	if err != nil || tokens == 0 {
		tb.Skipf("no Go source in %s: %v", root, err)
	}
	return tokens, hidden
}

func wordsOf(source []byte) (n int) {
	var s scanner.Scanner
	set := gotoken.NewFileSet()
	s.Init(set.AddFile("", set.Base(), len(source)), source, func(gotoken.Position, string) {}, scanner.ScanComments)
	for {
		switch _, tok, lit := s.Scan(); tok {
		case gotoken.EOF:
			return n
		case gotoken.IDENT, gotoken.STRING:
			n++
		case gotoken.COMMENT:
			n += len(strings.Fields(lit))
		}
	}
}

// The docs tell how much is found, and how much is hidden that is no secret.
// The table is held here;
// `go test ./prompts/redact -run RandomIsMeasured -v` prints the other figure.
func TestRandomIsMeasured(t *testing.T) {
	table := recalls()
	if docs, err := os.ReadFile("../../docs/redaction.md"); err != nil || !strings.Contains(string(docs), table) {
		t.Errorf("docs/redaction.md has other figures (%v):\n%s", err, table)
	}
	for _, a := range alphabets {
		for _, n := range lengths {
			if got := recall(a.of, n, "x := %q"); n >= 16 && got < 85 || n >= 20 && got < 90 {
				t.Errorf("%d %% of %s with %d characters are found in quotes", got, a.kind, n)
			}
		}
	}
	tokens, hidden := falseOnes(t)
	t.Logf("%d of %d tokens of the standard library are hidden: %.2f in a thousand", hidden, tokens, float64(hidden)*1000/float64(tokens))
	if hidden*1000 > tokens/2 {
		t.Errorf("%d of %d tokens of the standard library are hidden", hidden, tokens)
	}
}

// numbersOf are the bytes of a text as numbers.
func numbersOf(text string) string {
	var numbers []string
	for _, b := range []byte(text) {
		numbers = append(numbers, strconv.Itoa(int(b)))
	}
	return strings.Join(numbers, " ")
}

// The ways in which secrets are in requests, commands and environments.
func TestShapesOfRequestsAndCommands(t *testing.T) {
	const secret = "hunter22x"
	key := text(77, 32, letters+digits)
	for name, in := range map[string]string{
		"cookie":             "Cookie: theme=dark; sid=" + secret + "; lang=en",
		"set-cookie":         "Set-Cookie: session=" + secret + "; Path=/; HttpOnly",
		"cookie of a map":    "map[Accept:[*/*] Cookie:[sid=" + secret + "]]",
		"cookie in Go":       `Header{"Cookie": []string{"sid=` + secret + `"}}`,
		"set header":         `req.Header.Set("Cookie", "sid=` + secret + `")`,
		"token scheme":       "Authorization: Token " + secret,
		"no scheme":          "Authorization: " + secret,
		"authorization map":  "map[Authorization:[Token " + secret + "]]",
		"set authorization":  `req.Header.Set("Authorization", "Token "+"x"); h.Add("Authorization", "Token ` + secret + `")`,
		"proxy":              "Proxy-Authorization: Digest " + secret,
		"set key":            `h.Set("X-Api-Key", "` + secret + `")`,
		"setenv":             `os.Setenv("DB_PASSWORD", "` + secret + `")`,
		"bytes":              `password := []byte("` + secret + `")`,
		"bytes of a value":   `password []uint8 = []byte("` + secret + `")`,
		"bytes as numbers":   "password:" + "[" + numbersOf(secret) + "]",
		"bytes of a literal": "password = []byte{" + strings.ReplaceAll(numbersOf(secret), " ", ", ") + "}",
		"DB_PASS":            "DB_PASS=" + secret,
		"DB_PW":              "DB_PW=" + secret,
		"dbPass":             `dbPass := "` + secret + `"`,
		"mysql":              "$ mysql -h db -u root -p" + secret + " app",
		"mysql apart":        "mysqldump -u root -p " + secret,
		"sshpass":            "sshpass -p " + secret + " ssh host",
		"redis":              "redis-cli -h cache -a " + secret,
		"curl":               "curl -s -u admin:" + secret + " https://example.com",
		"curl --user":        "curl --user 'admin:" + secret + "' https://example.com",
		"curl in Go":         `exec.Command("curl", "-u", "admin:` + secret + `")`,
		"sig":                "GET /blob?sv=2022&sig=" + key + "%3D&se=2026",
		"amz":                "https://b.s3.amazonaws.com/k?X-Amz-Signature=" + key,
		"session":            "JSESSIONID=" + key,
		"option":             "app --db-password " + secret + " --verbose",
		"one dash":           "app -token " + secret,
		"option at the end":  "args: [app --password " + secret + "]",
		"option in Go":       `exec.Command("app", "--password", "` + secret + `")`,
		"option quoted":      `os.Args = ["app" "--api-key" "` + secret + `"]`,
		"option for a shell": `app --password '` + secret + `'`,
		"pair":               `{Name:"password",Value:"` + secret + `"}`,
		"pair of Go":         `EnvVar{Name: "DB_PASSWORD", Value: "` + secret + `"}`,
		"pair of JSON":       `[{"name": "api_key", "value": "` + secret + `"}]`,
		"pair in a text":     `body = "{\"key\":\"token\",\"value\":\"` + secret + `\"}"`,
		"pair of %+v":        `{Name:password Value:` + secret + `}`,
		"curl, options":      "curl -sSu bob:" + secret + " https://example.com",
		"curl, two quotes":   "curl -u 'bob':'" + secret + "' https://example.com",
		"curl, a phrase":     "curl -u 'bob:several " + secret + "' https://example.com",
		"mysql, a phrase":    `mysql -u root -p"several ` + secret + `"`,
		"map of a phrase":    "map[password:several " + secret + " user:bob]",
		"struct of a phrase": "{Host:h Password:several " + secret + " User:bob}",
		"last of a struct":   "{Host:h Password:several words " + secret + "}",
		"escaped blank":      `password=several\ ` + secret,
		"quoted for a shell": `password=$'several\n` + secret + `'`,
		"netrc, quoted":      `machine example.com login bob password "several ` + secret + `"`,
		"folded header":      "Authorization: Digest username=\"bob\",\r\n response=\"" + secret + "\"\r\n\r\n",
		"a type":             `password: str = "` + secret + `"`,
		"a type of several":  `password: string | null = "` + secret + `"`,
		"an element":         `password[0] = ` + secret,
		"pair of YAML":       "- name: DB_PASSWORD\n  value: \"" + secret + "\"",
	} {
		t.Run(name, func(t *testing.T) {
			got, _ := New(Settings{}, nil).Text(in)
			for _, s := range []string{secret, key, numbersOf(secret), "104, 117, 110"} {
				if strings.Contains(got, s) {
					t.Errorf("%q is left in %q", s, got)
				}
			}
			if again, _ := New(Settings{}, nil).Text(got); again != got {
				t.Errorf("a second pass makes %q of %q", again, got)
			}
		})
	}
	for _, same := range []string{`bypass = "no matter"`, "--- PASS: TestCookie (0.00s)", "compass=north-west", "curl -u https://example.com", `passes := []string{"firstone"}`,
		`cookie := http.Cookie{Name: "sid"}`, `w.Header().Set("Content-Type", "application/json")`, "mysql -u root",
		"  --password string   the password of the account", "pass --token or --password instead", "--password FILE", "use --token. Then go on",
		"app --password --verbose", "--password-file /run/secrets/db2", `{Name: "password", Usage: "of the account2"}`, `Name: "password", Value: value`, "--token $TOKEN1", "--token <token2>",
		`authorization is "required here"`, "pass=true", "sig=on"} {
		if got, found := New(Settings{Entropy: true}, nil).Text(same); got != same {
			t.Errorf("%q became %q: %v", same, got, found)
		}
	}
}

// A mark says nothing even if one knows how marks are made: another process
// makes others.
func TestMarksAreSalted(t *testing.T) {
	got, _ := New(Settings{}, nil).Text(`password = "swordfish"; p = "swordfish"`)
	marks := mark.FindAllString(got, -1)
	if len(marks) < 1 || slices.Contains(marks, "[redacted 0c74fe]") {
		t.Fatalf("%q", got)
	}
	for _, guess := range []string{"swordfish", strconv.Quote("swordfish")} {
		if sum := fmt.Sprintf("%x", sha256.Sum256([]byte(guess))); strings.Contains(got, sum[:6]) {
			t.Errorf("the mark is that of an unsalted hash: %q", got)
		}
	}
}

// Places of secrets without a sign of an assignment. What is only said about a password
// stays.
func TestSecretsInMessagesAndLists(t *testing.T) {
	const secret = "hunter22x"
	for name, in := range map[string]string{
		"odbc":                  "Driver={SQL Server};Server=db;UID=sa;PWD=" + secret + ";Database=app",
		"odbc first":            `"PWD=` + secret + `;UID=sa"`,
		"odbc word":             "UID=sa;PWD=" + secret,
		"url with slash":        `parse "https://bob:` + secret + `/y@example.com/": invalid port ":` + secret + `" after host`,
		"url with number sign":  "postgres://app:" + secret + "#y@db:5432/app?sslmode=disable",
		"url with question":     "amqp://app:" + secret + "?y@mq/",
		"url with percent":      "redis://:" + secret + "%zz@cache:6379/0",
		"url with both":         "mysql://app:x@" + secret + "/y@db/app",
		"url with digits":       "mongodb://app:123/" + secret + "@db/app",
		"array":                 `[2]string{"password", "` + secret + `"}`,
		"array of a word":       `[2]string{"password", "swordfish"}`,
		"slice":                 `[]string{"user", "bob", "db_password", "` + secret + `", "x"}`,
		"printed array":         "login [password " + secret + "] failed",
		"arguments":             `slog.Info("login", "password", "` + secret + `")`,
		"message":               "cannot log in with password " + secret + " as bob",
		"message, quoted":       `wrong password "swordfish" for user bob`,
		"message, escaped":      `err = "wrong password \"` + secret + `\" for user bob"`,
		"message, is":           "the password is " + secret + ".",
		"message of a key":      "unknown apikey 9a8b7c6d5e4f3a2b1c0d",
		"ini":                   "[db]\nuser = app\npassword = " + secret + "\n",
		"upper case":            "PASSWORD = " + secret + "\n",
		"with a sign":           "db.password = hunter-22!x\n",
		"xml":                   "<db><password>" + secret + "</password></db>",
		"xml with an attribute": `<adminPassword type="plain">` + secret + "</adminPassword>",
		"xml with a space":      "<ns:password> " + secret + " </ns:password>",
		"netrc":                 "machine example.com login bob password " + secret,
		"netrc of a word":       "machine example.com\n\tlogin bob\n\tpassword swordfish\n",
	} {
		got, _ := New(Settings{}, nil).Text(in)
		for _, left := range []string{secret, "swordfish", "hunter", "9a8b7c"} {
			if strings.Contains(got, left) {
				t.Errorf("%s: %q is left in %q", name, left, got)
			}
		}
		if again, _ := New(Settings{}, nil).Text(got); again != got {
			t.Errorf("%s: a second pass makes %q of %q", name, again, got)
		}
	}
	for _, same := range []string{"password must not be empty", "password is too short", "invalid password for user bob", "password required", "the password is incorrect.", "password hash is sha256", "password argon2id2 hash",
		"wrong password for bob7@example.com", "password for user4711", "PWD=/home/bob", "OLDPWD=/home/bob/x1", `unexpected token "identifier"`, "unexpected token ident2fier", `secret "db-credentials" not found`, "secret db-config2 is missing",
		`[]string{"username", "password", "emailaddress"}`, `flag.String("password", "", "the password of the account2")`, "password = newPassword\n", "\tpassword = cfg.Password2\n", "password, err := read2(x)", "[password required]",
		"https://example.com:8080/a@b", "http://svc:8080/users/@bob7", "http://[::1]:80/x@y", "git@example.com:a/b", "https://example.com/@scope/name@1.2.3", "password != hunter22x", "<password>", "<passwordField>x</passwordField>",
		"password %s is wrong", "no password in app.json", "password v2.1.0", "login token expired 12h30m ago"} {
		if got, found := New(Settings{}, nil).Text(same); got != same {
			t.Errorf("%q became %q: %v", same, got, found)
		}
	}
}
