package redact

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"go/build"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/internal/testsupport"
)

// text makes a text that looks random, the same one each time.
func text(seed uint64, n int, of string) string {
	r := rand.New(rand.NewPCG(seed, 7))
	b := make([]byte, n)
	for i := range b {
		b[i] = of[r.IntN(len(of))]
	}
	return string(b)
}

const (
	lowers  = "abcdefghijklmnopqrstuvwxyz"
	uppers  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits  = "0123456789"
	letters = lowers + uppers
)

func TestSecretsAreHidden(t *testing.T) {
	word := text(1, 36, letters+digits)
	key := strings.Repeat(text(2, 64, letters+digits+"+/")+"\n", 12)
	jwt := "eyJ" + text(3, 20, letters) + ".eyJ" + text(4, 40, letters+digits) + "." + text(5, 43, letters+digits+"_-")
	for name, c := range map[string]struct{ text, secret string }{
		"aws":             {`id := "AKIA` + text(6, 16, uppers+"234567") + `"`, "AKIA" + text(6, 16, uppers+"234567")},
		"github":          {"remote: ghp_" + word + " is not valid", "ghp_" + word},
		"escaped":         {`out = "line\nghp_` + word + `\n"`, "ghp_" + word},
		"openai":          {`"sk-proj-` + word + `"`, "sk-proj-" + word},
		"slack":           {"xoxb-" + text(7, 12, digits) + "-" + word, "xoxb-" + text(7, 12, digits) + "-" + word},
		"jwt":             {"got " + jwt + ", want none", jwt},
		"bearer":          {"Authorization: Bearer " + word, word},
		"basic":           {"authorization: basic " + base64.StdEncoding.EncodeToString([]byte("admin:hunter22")), base64.StdEncoding.EncodeToString([]byte("admin:hunter22"))},
		"url":             {`dsn = "postgres://app:s3cr@t@db.local:5432/app"`, "s3cr@t"},
		"mysql":           {`dsn = "app:hunter2@tcp(127.0.0.1:3306)/app"`, "hunter2"},
		"dsn":             {"host=db password=hunter22 dbname=app", "hunter22"},
		"assigned":        {`password := "swordfish"`, "swordfish"},
		"declared":        {`const dbPassword string = "swordfish"`, "swordfish"},
		"field":           {`Config{ClientSecret: "swordfish"}`, "swordfish"},
		"json":            {`{"api_key": "swordfish1"}`, "swordfish1"},
		"escaped json":    {`body = "{\"api_key\": \"swordfish1\"}"`, "swordfish1"},
		"environment":     {"DB_PASSWORD=swordfish\nHOME=/root", "swordfish"},
		"header":          {"X-Api-Key: swordfish", "swordfish"},
		"yaml":            {"db:\n  password: swordfish\n", "swordfish"},
		"phrase":          {`passphrase = "correct horse battery staple"`, "correct horse battery staple"},
		"two words":       {`secret: "swordfish trombone"`, "swordfish trombone"},
		"scheme":          {`token = "Bearer swordfish"`, "swordfish"},
		"after a colon":   {`err="login of bob: bad password: swordfish9"`, "swordfish9"},
		"in a line":       {`INFO password: swordfish9, user: bob`, "swordfish9"},
		"printed field":   {`config is {User:bob Password:swordfish Port:80}`, "swordfish"},
		"printed map":     {`map[password:swordfish user:bob]`, "swordfish"},
		"among words":     {`authKey = "client swordfish9 beta"`, "swordfish9"},
		"long word":       {`"token": "v swordfish-swordfish-swordfish"`, "swordfish-swordfish-swordfish"},
		"private key":     {"-----BEGIN RSA PRIVATE KEY-----\n" + key + "-----END RSA PRIVATE KEY-----", key},
		"cut private key": {`k = "-----BEGIN EC PRIVATE KEY-----\n` + key[:60] + `"… (900 bytes)`, key[:60]},
		"random":          {`f("` + text(8, 40, letters+digits+"+/") + `")`, text(8, 40, letters+digits+"+/")},
		"random hex":      {`sessionKey: "` + text(9, 32, "0123456789abcdef") + `"`, text(9, 32, "0123456789abcdef")},
	} {
		got, found := New(Settings{Entropy: true}, nil).Text(c.text)
		if strings.Contains(got, c.secret) || len(found) == 0 {
			t.Errorf("%s: %q is left in %q", name, c.secret, got)
			continue
		}
		if again, _ := New(Settings{Entropy: true}, nil).Text(got); again != got {
			t.Errorf("%s: a second pass makes %q of %q", name, again, got)
		}
		back, _, lost := New(Settings{Entropy: true}, nil).Restore(got, c.text)
		if back != c.text || lost {
			t.Errorf("%s: restored %q (lost %v), want %q", name, back, lost, c.text)
		}
	}
}

func TestOtherTextStays(t *testing.T) {
	for _, s := range []string{
		`token := next()`, `case token.ASSIGN, token.DEFINE:`, `Token: tok,`, `if password == "" {`, "Password string `json:\"password\"`",
		`errPassword = "the password is wrong"`, `tokenType = "Bearer"`, `ErrNoToken = errors.New("no token given")`, `password = "${PASSWORD}"`,
		`h1:` + text(1, 43, letters+digits) + `=`, `sum := "` + hex.EncodeToString([]byte(text(2, 32, letters))) + `"`,
		`id = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"`, `import "github.com/pausetui/pausetui/llm/ollama/ollamatest"`,
		`const alphabet = "` + uppers + lowers + digits + `+/"`, `name: "TestServerHandlesAllRequestsInOrder2"`, `http://user@host/path`,
		`p.token = "unexpected end of input"`, `err.Token = "not found"`, `Comment{Token: "// indirect"}`, `APIKey: "is not set"`, `{"token": "the one before it"}`,
		`https://example.com:8080/a@b`, `basic authentication is used`, `s.login(server{Host: h, password: pass2nd})`, `case token:return x`, "the token: a word", `keys: map[string]int{"token": 5}`,
	} {
		if got, found := New(Settings{Entropy: true}, nil).Text(s); got != s {
			t.Errorf("%q became %q: %v", s, got, found)
		}
	}
}

func TestASecretIsHiddenInAllItsPlaces(t *testing.T) {
	in := "password := \"swordfish-9\"\nconnect(\"swordfish-9\")\n\nlog: swordfish-9"
	got, found := New(Settings{}, nil).Text(in)
	if strings.Contains(got, "swordfish") || len(found) != 3 {
		t.Fatalf("%q, %v", got, found)
	}
	for i, line := range []int{1, 2, 4} {
		if found[i].Line != line || strings.Contains(fmt.Sprint(found[i]), "swordfish") {
			t.Errorf("finding %d = %+v, want line %d", i, found[i], line)
		}
	}
}

func TestValuesOfTheEnvironment(t *testing.T) {
	r := New(Settings{Names: []string{"patient_*"}, Allow: []string{"*"}}, []string{"API_TOKEN=plain-words-here", "HOME=/home/somebody",
		"SSH_AUTH_SOCK=/run/user/1000/agent", "PATIENT_ID=patient-77812", "SHORT_TOKEN=true", "EDITOR=something-long"})
	got, _ := r.Text("a plain-words-here b /home/somebody c /run/user/1000/agent d patient-77812 e true f something-long")
	if strings.Contains(got, "plain-words") || strings.Contains(got, "77812") || !strings.Contains(got, "/home/somebody c /run/user/1000/agent") ||
		!strings.HasSuffix(got, "e true f something-long") {
		t.Errorf("%q", got)
	}
}

func TestWhatIsAllowedStays(t *testing.T) {
	in := `password := "swordfish"`
	if got, _ := New(Settings{Allow: []string{"sword*"}}, nil).Text(in); got != in {
		t.Errorf("%q", got)
	}
}

func TestHidesByNameAndType(t *testing.T) {
	r := New(Settings{Names: []string{"patient*"}, Types: []string{"User", "store.Card*"}}, nil)
	for _, c := range []struct {
		name, typ string
		want      bool
	}{
		{"patientName", "string", true}, {"PatientID", "int", true}, {"impatient", "string", false}, {"u", "*main.User", true},
		{"list", "[]*example.com/a/store.User", true}, {"m", "map[string]main.User", true}, {"c", "store.CardNumber", true}, {"x", "main.Users", false},
	} {
		if _, ok := r.Hides(c.name, c.typ); ok != c.want {
			t.Errorf("Hides(%q, %q) = %v", c.name, c.typ, ok)
		}
	}
	instead, _ := r.Hides("patient", "")
	if got, found := r.Text("p = " + instead); got != "p = "+instead || len(found) != 1 || found[0].Kind != kindHidden {
		t.Errorf("%q, %v", got, found)
	}
	if got, _ := r.With(kindHidden, []string{"Ada Lovelace", "x"}).Text("panic: no bed for Ada Lovelace, x"); strings.Contains(got, "Ada") || !strings.HasSuffix(got, ", x") {
		t.Errorf("%q", got)
	}
}

// Keys are known by their types, wherever those come from; what is public, and errors,
// stay to be seen.
func TestTypesOfKeys(t *testing.T) {
	r := New(Settings{}, nil)
	for _, typ := range []string{"*crypto/rsa.PrivateKey", "*rsa.PrivateKey", "[]*ecdsa.PrivateKey", "map[string]crypto/ed25519.PrivateKey", "crypto.PrivateKey", "crypto.Signer", "sync/atomic.Pointer[crypto/rsa.PrivateKey]",
		"*crypto/ecdh.PrivateKey", "crypto/dsa.PrivateKey", "*crypto/mlkem.DecapsulationKey768", "crypto/hpke.PrivateKey", "*crypto/hpke.Sender", "*crypto/internal/fips140/hmac.HMAC", "*crypto/internal/fips140/aes.Block", "cipher.AEAD",
		"*crypto/internal/fips140/rsa.PrivateKey", "*tls.halfConn", "*crypto/tls.SessionState", "crypto/rsa.CRTValue", "golang.org/x/crypto/ssh.Signer", "*ssh.wrappedSigner", "ssh.AlgorithmSigner", "golang.org/x/crypto/ssh/agent.AddedKey",
		"*filippo.io/age.X25519Identity", "*golang.org/x/crypto/chacha20poly1305.chacha20poly1305", "*golang.org/x/crypto/openpgp/packet.PrivateKey", "*github.com/ProtonMail/go-crypto/openpgp/packet.PrivateKey",
		"*github.com/decred/dcrd/dcrec/secp256k1/v4.PrivateKey", "github.com/go-jose/go-jose/v4.JSONWebKey", "*encoding/pem.Block", "main.PrivateKey", "example.com/a/vault.masterSecretKey", "crypto/ed25519.PrivateKey", "chan *rsa.PrivateKey"} {
		if instead, ok := r.Hides("k", typ); !ok || !IsKey(instead) {
			t.Errorf("%s is shown", typ)
		}
	}
	for _, typ := range []string{"*crypto/rsa.PublicKey", "crypto/aes.KeySizeError", "crypto/x509.KeyUsage", "*crypto/x509.Certificate", "crypto/tls.Certificate", "*crypto/tls.Config", "*mlkem.EncapsulationKey768", "crypto.PublicKey",
		"crypto/elliptic.Curve", "ssh.PublicKey", "*golang.org/x/crypto/ssh/knownhosts.KeyError", "*filippo.io/age.X25519Recipient", "math/big.Int", "main.Key", "main.Signer", "map[string]int", "example.com/game/block.Block", "func(*rsa.PrivateKey) error",
		"struct { key *rsa.PrivateKey }", "go/token.Token", "", "PrivateKey", "crypto.Hash", "*crypto/sha1.digest"} {
		if _, ok := r.Hides("k", typ); ok {
			t.Errorf("%s is hidden", typ)
		}
	}
	digits := text(1, 77, "123456789")
	if got, _ := New(Settings{Entropy: true}, nil).Text("panic: &{{{0x1} +12 +13} D:+" + digits + "}"); strings.Contains(got, digits[:9]) {
		t.Errorf("%q", got)
	}
}

func TestASecretOfAnotherTextIsHidden(t *testing.T) {
	r := New(Settings{}, nil)
	learned := r.Secrets("password = \"swordfish-9\"\npassword = \"short1\"\npassword = \"short\"\npassword = \"4711\"")
	if len(learned.Secrets) != 2 || learned.Random != nil || len(learned.Short) != 2 {
		t.Fatalf("%q", learned)
	}
	if got, found := r.With("elsewhere", learned.Secrets).Text("connect(\"swordfish-9\", xshort1x, \"short\")"); strings.Contains(got, "swordfish") || strings.Contains(got, "short1") || !strings.Contains(got, "short") || found[0].Kind != "elsewhere" {
		t.Errorf("%q, %v", got, found)
	}
}

// A text that holds very much that looks random, as a server's log does, has room for what is a
// secret by its name.
func TestMuchThatLooksRandomHidesNoSecrets(t *testing.T) {
	var log strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&log, "request %x is served\n", sha256.Sum256([]byte{byte(i), byte(i >> 8)}))
	}
	text := log.String() + "password = \"winter is coming\"\nno login with winter is coming\n"
	if got, _ := New(Settings{Entropy: true}, nil).Text(text); strings.Contains(got, "winter") {
		t.Errorf("%q", got[len(got)-100:])
	}
}

// A password of the environment is hidden, whatever it begins with, and if it is short and no word.
func TestPasswordsOfTheEnvironment(t *testing.T) {
	for env, hidden := range map[string]bool{
		"DB_PASSWORD=/winter is coming": true, "DB_PASSWORD=hunter2": true, "CLIENT_SECRET=/abc1": false, "DB_PASSWORD=secret": false, "DB_PASSWORD=docker": false, "DB_PASSWORD=a1b2": false,
		"DB_PASSWORD_FILE=/run/secrets/db": false, "PWD=/home/user/program": false, "OLDPWD=/home/user/program": false, "SSH_AUTH_SOCK=/tmp/agent.1": false, "MODE=hunter2": false, "API_TOKEN=Zx9q78": true, "API_TOKEN=docker": false,
	} {
		_, value, _ := strings.Cut(env, "=")
		got, _ := New(Settings{}, []string{env}).Text("it is " + value + ", and ends")
		if hides := !strings.Contains(got, value); hides != hidden {
			t.Errorf("%s: %s", env, got)
		}
	}
}

func TestOffHidesNothing(t *testing.T) {
	in := `password := "swordfish"`
	if got, found := Off().Text(in); got != in || found != nil {
		t.Errorf("%q, %v", got, found)
	}
}

func TestAMarkWithoutItsSecretIsLost(t *testing.T) {
	if got, _, lost := New(Settings{}, nil).Restore("x [redacted 0a1b2c]", `password := "swordfish"`); !lost || got != "x [redacted 0a1b2c]" {
		t.Errorf("%q, %v", got, lost)
	}
}

// The texts that would take quadratic time if whatever follows an anchor were
// read to its end each time.
func TestTimeIsBounded(t *testing.T) {
	size := 128 << 10
	if testsupport.Whole() {
		size = 4 << 20
	}
	for _, part := range []string{"-----BEGIN RSA PRIVATE KEY----- ", "eyJ", "eyJaaaaaaaa.", "token", "password=\"", "://a:", "ghp_", "\"aB3", "a@tcp(", "sk-", "curl ", "curl -u a:", "cookie", "Cookie: a=b; ", "Authorization: a ", "mysql -p", "DB_PASS", "sig=", "Set(\"pass\",", "--password ", "--a-token", "{Name:\"password\",Value:\"", "password == (", "[]password{{", "`a`+password+", "1\tpassword\n", "+password\n@@ \n", "```go\npassword = `\n```\n", "password-old-", "a", "A", "aAAAAAAAAAA", "1Q~", "0-us", "1:AA", "a.atlasv1.", "pat", "password=", "password=%", "password: ", "password:", "password:\n  ", "passwords:\n- x\n", "password\t", "password(\"", "passwords: [\"a\",", "{password:", "\\u0070assword=", "a.", "ab1cd.ef2gh.", "\\", `\x1b`, "\x1b[0mpassword=\"", "\x1b]a\u009bx\bpassword=\"", "\u200b", "&amp;", "%41", `\u0041`, "&", "password={a1b2 ", "passwords: [a1b2 ", "{a Password:{A:a1b2 ", "password = a1b2 ", "Password:[a ", "Cookie: a=\"",
		"Passwords:[a \\\n", "[redacted ", "[redacted 0a1b2c]", "password=\"[redacted 0a1b2c]", "Authorization: a b=\"c\" ", "password,\"a", "<password>a", "{name: password, ", "password: a\n  b\n ", "password: \"a\n  ", "<name>password</name><a>x</a>", "a:b@(", "password: ptr(ptr(", "password: $A_B "} {
		began := testsupport.CPU()
		New(Settings{Entropy: true}, nil).Text(strings.Repeat(part, size/len(part)))
		if took := testsupport.CPU() - began; took > time.Duration(size)*10*time.Microsecond { // most take a tenth of 1 µs for a byte
			t.Errorf("%d KB of %q took %v", size>>10, part, took)
		}
	}
}

// sources reads the Go files of a directory of GOROOT, at most so many bytes.
func sources(tb testing.TB, most int) (all []string, size int) {
	root := filepath.Join(build.Default.GOROOT, "src")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || size > most || d.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		data, err := os.ReadFile(path)
		all, size = append(all, string(data)), size+len(data)
		return err
	})
	if err != nil || size == 0 {
		tb.Skipf("no Go source in %s: %v", root, err)
	}
	return all, size
}

// Nearly no file of the standard library holds a secret.
func TestFewFalseFindings(t *testing.T) {
	files, _ := sources(t, 8<<20)
	r := New(Settings{Entropy: true}, nil)
	hit := 0
	for _, f := range files {
		if _, found := r.Text(f); len(found) > 0 {
			hit++
		}
	}
	t.Logf("%d of %d files", hit, len(files))
	if hit*50 > len(files) { // 2 %; it was 0.7 % with the tests, which hold keys, 0.2 % without
		t.Errorf("something is hidden in %d of %d files", hit, len(files))
	}
}

func BenchmarkText(b *testing.B) {
	files, size := sources(b, 8<<20)
	all := strings.Join(files, "")
	r := New(Settings{Entropy: true}, os.Environ())
	b.SetBytes(int64(size))
	for b.Loop() {
		r.Text(all)
	}
}

// Many long values take no more memory than they must.
func TestLongTextsAreHiddenToo(t *testing.T) {
	var texts []string
	for i := range 500 {
		texts = append(texts, fmt.Sprintf("%d %s %d", i, strings.Repeat("a record of a person, äöü ", 18), i))
	}
	r := New(Settings{}, nil).With("part of a hidden value", append(texts, "Ada Lovelace"))
	got, found := r.Text("one: " + texts[7] + texts[7] + ", by Ada Lovelace: " + texts[499] + ".")
	if strings.Contains(got, "record") || strings.Contains(got, "Ada") || len(found) != 4 || !strings.HasPrefix(got, "one: [redacted ") || !strings.HasSuffix(got, "].") {
		t.Errorf("%d: %s", len(found), got)
	}
	if n := len(r.literals.next); n > 100_000 {
		t.Errorf("the automaton has %d entries", n)
	}
}

// Lines keep their numbers; of a secret of several lines only the first is there.
func TestLines(t *testing.T) {
	got := New(Settings{}, nil).Lines("package p\n\nvar password, x = `horse\nbattery\nstaple`, 1\nvar y = 2\n")
	if !strings.HasPrefix(got[3], "var password, x = `[redacted ") || !strings.HasSuffix(got[3], "]`, 1") || got[6] != "var y = 2" || got[1] != "package p" {
		t.Error(got)
	}
	if _, within := got[5]; within || len(got) != 5 {
		t.Error(got)
	}
	if got := Off().Lines("a\nb"); len(got) != 2 || got[2] != "b" {
		t.Error(got)
	}
}
