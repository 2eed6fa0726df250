package redact

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"html/template"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/internal/testsupport"
)

// written are spellings of a text that programs and this debugger use.
func written(t *testing.T, text string) map[string]string {
	t.Helper()
	inJSON, err := json.Marshal(map[string]string{"a": text})
	if err != nil {
		t.Fatal(err)
	}
	var page bytes.Buffer
	if err := template.Must(template.New("").Parse("<p>{{.}}</p>")).Execute(&page, text); err != nil {
		t.Fatal(err)
	}
	var links, script bytes.Buffer
	for b, source := range map[*bytes.Buffer]string{&links: `<a href="/?q={{.}}">`, &script: `<script>x = "{{.}}"</script>`} {
		if err := template.Must(template.New("").Parse(source)).Execute(b, text); err != nil {
			t.Fatal(err)
		}
	}
	pageJSON, err := json.Marshal(page.String())
	if err != nil {
		t.Fatal(err)
	}
	return map[string]string{
		"as it is":                text,
		"a value":                 strconv.Quote(text),
		"in a value":              strconv.Quote("x " + text + " y"),
		"%q in a value":           strconv.Quote(fmt.Sprintf("open %q", text)),
		"%+q":                     fmt.Sprintf("%+q", text),
		"JSON":                    string(inJSON),
		"JSON in a value":         strconv.Quote(string(inJSON)),
		"JSON in JSON":            strconv.Quote(strconv.Quote(string(inJSON))),
		"a query":                 "https://x.example/?" + url.Values{"a": {text}}.Encode(),
		"a path":                  "https://x.example/" + url.PathEscape(text),
		"a URL's password":        (&url.URL{Scheme: "https", Host: "x.example", User: url.UserPassword("u", text)}).String(),
		"a query in a value":      strconv.Quote(url.QueryEscape(text)),
		"a page":                  page.String(),
		"a page in a value":       strconv.Quote(page.String()),
		"the value of a variable": "a string = " + strconv.Quote(text),
		"a link of a page":        links.String(),
		"a script of a page":      script.String(),
		"JSON of a page":          strings.ReplaceAll(string(inJSON), "&", "&amp;"),
		"a page as JSON":          fmt.Sprintf("%q", json.RawMessage(pageJSON)),
		"JSON with \\/":           strings.ReplaceAll(string(inJSON), "/", `\/`),
		"encodeURIComponent":      strings.NewReplacer("%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2A", "*", "+", "%20").Replace(url.QueryEscape(text)),
		"lower-case hexadecimal":  lowerHex.ReplaceAllStringFunc(url.QueryEscape(text), strings.ToLower),
		"entities":                strings.NewReplacer("&#34;", "&quot;", "&#39;", "&#x27;").Replace(html.EscapeString(text)),
	}
}

var lowerHex = regexp.MustCompile(`%[0-9A-F]{2}`)

// A secret is hidden where its bytes are listed.
func TestBytesOfASecretAreHidden(t *testing.T) {
	const secret = "blue+Horse9!"
	for _, text := range []string{fmt.Sprintf("%d", []byte(secret)), fmt.Sprintf("%x", secret), fmt.Sprintf("% X", secret), fmt.Sprintf("%#v", []byte("a"+secret+"b")), fmt.Sprintf("%v", struct{ a []byte }{[]byte(secret)})} {
		got, _ := New(Settings{}, []string{"DB_PASSWORD=" + secret}).Text("it is " + text)
		if strings.Contains(got, text[len(text)/3:len(text)/2]) {
			t.Error(got)
		}
	}
}

// A secret that the environment or another text names is hidden however it is written.
func TestASecretIsHiddenInAllItsSpellings(t *testing.T) {
	for _, secret := range []string{`correct"horse-battery`, `back\slash-horse`, "pass&word<stable", "pässwort-rösslein", "tabular\tstallion",
		"several words and a colon:", "-----first\nsecond line\nthird-----", "it's `quoted`", "100%-horse", "blue+horse9!", "blue/horse=9", `domain\nhorse-back`, "several horses+mules", "trailing-horse\\"} {
		for name, text := range written(t, secret) {
			for _, r := range []*Redactor{New(Settings{}, []string{"A_SECRET=" + secret}), New(Settings{}, nil).With("hidden elsewhere", []string{secret})} {
				got, found := r.Text(text)
				if len(found) == 0 {
					t.Errorf("%q, %s: nothing is hidden in %s", secret, name, got)
					continue
				}
				for _, word := range strings.FieldsFunc(secret, func(r rune) bool { return r < 'a' || r > 'z' }) {
					if len(word) > 4 && strings.Contains(got, word) {
						t.Errorf("%q, %s: %s", secret, name, got)
					}
				}
				if back, _, lost := r.Restore(got, text); lost || back != text {
					t.Errorf("%q, %s: put back: %s (%v)", secret, name, back, lost)
				}
			}
		}
	}
}

// One that is known by its name in one place is hidden where it has no name and another
// spelling.
func TestASecretWithANameIsHiddenInItsSpellings(t *testing.T) {
	text := `password = "correct\"horse-battery", and then: correct"horse-battery, correct%22horse-battery`
	if got, _ := New(Settings{}, nil).Text(text); strings.Contains(got, "horse") {
		t.Error(got)
	}
}

func TestAnEscapedQuoteEndsNoSecret(t *testing.T) {
	for _, text := range []string{`password := "correct\"horse-battery" // later`, `{"password":"correct\"horse-battery","a":"later"}`,
		`"{\"password\":\"correct\\\"horse-battery\",\"a\":\"later\"}"`, `password='it\'s a-horse' later`, `Creds{Pass: "back\\\"horse-stable", User: "later"}`,
		`password := "horse-back\\" // "later"`} {
		got, _ := New(Settings{}, nil).Text(text)
		if strings.Contains(got, "horse") || !strings.Contains(got, "later") {
			t.Errorf("%s: %s", text, got)
		}
	}
}

// What is shown of a long value ends within the secret.
func TestTheBeginningOfASecretIsHidden(t *testing.T) {
	long := strings.Repeat("alpha bravo charlie ", 8)
	for _, secret := range []string{"alpha-bravo-charlie", `alpha"bravo-charlie`, long} {
		r := New(Settings{}, []string{"A_SECRET=" + secret})
		for n := minHidden; n < len(strings.TrimSpace(secret)); n++ {
			for _, text := range []string{"b = []byte(" + strconv.Quote("GET /"+secret[:n]) + "…) (len 254)", secret[:n] + "… (112 bytes)", "later " + strconv.Quote(strconv.Quote(secret[:n])) + "…"} {
				got, _ := r.Text(text)
				if strings.Contains(got, "alph") {
					t.Errorf("%d bytes of %q: %s", n, secret, got)
				}
			}
		}
	}
	r := New(Settings{}, []string{"A_SECRET=alpha-bravo", "B_SECRET=" + long})
	if got, _ := r.Text("…"); got != "…" {
		t.Error(got)
	}
	if got, _ := New(Settings{}, []string{"A_SECRET=alpha-bravo"}).Text("the end of alp… and alpha, a list of …"); got != "the end of alp… and alpha, a list of …" {
		t.Error(got)
	}
}

// A program writes what takes long to look for: ends of what was cut off, names of secrets
// with escaped values.
func TestTheTimeForSpellingsIsBounded(t *testing.T) {
	const size = 512 << 10
	env := []string{"A_SECRET=" + strings.Repeat("ab", 2000), "B_SECRET=" + strings.Repeat("ab\n", 2000), `C_SECRET=a"b"c"d"e`}
	for _, part := range []string{"ab…", strings.Repeat("ab", 600) + "…", "…", `a\"b"c…`, `password="\"`, `password="a\`, `{\"password\":\"a\\`, `password = "x\"1234567` + `", `} {
		began := testsupport.CPU()
		New(Settings{}, env).Text(strings.Repeat(part, size/len(part)))
		if took := testsupport.CPU() - began; took > size*10*time.Microsecond {
			t.Errorf("%d KB of %.20q took %v", size>>10, part, took)
		}
	}
}

// A password is found in all its spellings beside many long secrets.
func TestAPasswordBesideLongSecrets(t *testing.T) {
	const password = "correct \"horse\" <battery> & staple"
	var env []string
	for i := range 40 {
		env = append(env, fmt.Sprintf("KEY_%d_CREDENTIALS={\n \"lines\": \"%s\", \"n\": %d}", i, strings.Repeat("words of a long text\n", 100), i))
	}
	r := New(Settings{}, append(env, "DB_PASSWORD="+password))
	asJSON, err := json.Marshal(password)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{string(asJSON), strconv.Quote(password), url.QueryEscape(password), html.EscapeString(password)} {
		if got, _ := r.Text("it is " + text); strings.Contains(got, "battery") {
			t.Errorf("%s: %s", text, got)
		}
	}
}

// A text is found in every list of its bytes and characters.
func TestASecretIsHiddenInAllLists(t *testing.T) {
	for _, secret := range []string{"blue+Horse9!", "correct horse b4", "tür öffnen7", "p\\w\\x\\41"} {
		var numbers []int
		var anys []any
		var letters []string
		for _, b := range []byte(secret) {
			numbers, anys, letters = append(numbers, int(b)), append(anys, b), append(letters, string(rune(b)))
		}
		if !utf8Only(secret) {
			letters = strings.Split(secret, "")
		}
		asJSON := func(v any) string { text, _ := json.Marshal(v); return string(text) }
		indented := func(v any) string { text, _ := json.MarshalIndent(v, "", " "); return string(text) }
		forms := map[string]string{"JSON": asJSON(numbers), "JSON, indented": indented(numbers), "JSON in a value": strconv.Quote(indented(numbers)), "JSON of letters": asJSON(letters), "letters, indented": indented(letters),
			"lines": strings.Join(strings.Fields(fmt.Sprint(numbers)), "\n"), "semicolons": strings.Join(strings.Fields(fmt.Sprint(numbers)), ";"),
			"a longer list": fmt.Sprintf("%v", []byte("u:"+secret+":w")), "anys": fmt.Sprintf("%#v", anys), "a struct": fmt.Sprintf("%+v", struct{ Raw []int }{numbers}),
			"a dump": hex.Dump([]byte("GET /login?: " + secret + " HTTP")), "base64": asJSON([]byte(secret)), "%c of bytes": fmt.Sprintf("%c", []byte(secret)), "%q of bytes": fmt.Sprintf("%q", anys), "a dump of it alone": hex.Dump([]byte(secret)), "a dump in a value": strconv.Quote(hex.Dump([]byte("GET /login?: " + secret + " HTTP")))}
		for _, f := range []string{"%d", "%x", "%X", "% x", "%#x", "%# x", "%#v", "%o", "%b", "%08b", "%#o", "%O", "%03d", "%5d", "%-4d"} {
			forms["bytes "+f] = fmt.Sprintf(f, []byte(secret))
		}
		for _, f := range []string{"%d", "%x", "%#x", "%q", "%+q", "%c", "%U", "%#U", "%o", "%b"} {
			forms["runes "+f] = fmt.Sprintf(f, []rune(secret))
		}
		for name, text := range forms {
			got, found := New(Settings{}, []string{"DB_PASSWORD=" + secret}).Text("it is " + text + " end")
			if left := len(got) - lenMark*len(found); len(found) == 0 || left > 40 && left > len(text)*2/3 {
				t.Errorf("%q, %s: %s", secret, name, got)
			}
		}
	}
	got, _ := New(Settings{}, []string{"DB_PASSWORD=blue+Horse9!"}).Text(hex.Dump([]byte("GET /login?: blue+Horse9! HTTP")))
	if strings.Contains(got, "blu") || strings.Contains(got, "62 6c") || strings.Contains(got, "Horse") || strings.Contains(got, "6f 72 73") || !strings.Contains(got, "HTTP|") {
		t.Error(got)
	}
	if got, _ := New(Settings{}, []string{"DB_PASSWORD=blue+Horse9!"}).Text("[98 108 117 101 43…"); strings.Contains(got, "98 108") {
		t.Error(got)
	}
}

func utf8Only(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r >= 0x80 }) < 0
}
