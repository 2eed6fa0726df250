package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/engine/hide"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/prompts/redact"
	"github.com/pausetui/pausetui/session"
)

// locksmith crashes with keys of all kinds in its hands, and writes down what they
// are made of.
const locksmith = `
-- go.mod --
module example.org/locksmith

go 1.26
-- main.go --
package main

import (
	"crypto"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/mlkem"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/tls"
	"fmt"
	"hash"
	"os"
)

type server struct {
	Name string
	Cert tls.Certificate
	Keys map[string]crypto.Signer
	MAC  hash.Hash
	Seed []byte
	TLS  *tls.Config
}

func serve(s *server, rk *rsa.PrivateKey, ck *ecdsa.PrivateKey, ek ed25519.PrivateKey, xk *ecdh.PrivateKey, mk *mlkem.DecapsulationKey768, list []*rsa.PrivateKey, block cipher.Block, priv *[32]byte, n int) byte {
	return s.Name[n]
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func main() {
	rk := must(rsa.GenerateKey(rand.Reader, 1024))
	ck := must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
	_, ek, _ := ed25519.GenerateKey(rand.Reader)
	xk := must(ecdh.X25519().GenerateKey(rand.Reader))
	mk := must(mlkem.GenerateKey768())
	secret := []byte("sixteen bytes!\x01\x02")
	var priv [32]byte
	rand.Read(priv[:])
	out := ""
	for _, w := range append(rk.D.Bits(), append(rk.Primes[0].Bits(), ck.D.Bits()...)...) {
		out += fmt.Sprintln(w)
	}
	for _, key := range [][]byte{ek, xk.Bytes(), mk.Bytes(), priv[:]} {
		out += fmt.Sprintf("%d %d\n", key[0], key[1])
	}
	out += fmt.Sprintln(rk.D) + fmt.Sprintln(ck.D)
	os.WriteFile("keys.txt", []byte(out), 0o600)
	s := &server{"shop", tls.Certificate{PrivateKey: rk}, map[string]crypto.Signer{"a": ck, "b": ek}, hmac.New(sha256.New, secret), priv[:], &tls.Config{SessionTicketKey: priv}}
	serve(s, rk, ck, ek, xk, mk, []*rsa.PrivateKey{rk}, must(aes.NewCipher(secret)), &priv, 40)
}
`

// Keys reach neither a model nor an agent: not as numbers, and not in parts.
func TestPrivateKeysStayHere(t *testing.T) {
	t.Parallel()
	looks := []string{"rk", "rk.D", "rk.D.abs", "rk.D.abs[0]", "rk.Primes", "rk.Primes[0]", "*rk.Primes[0]", "rk.Precomputed", "(*rk).D.abs", "list[0].D", "ck.D", "ck.D.abs[0] + 1", "ek[0]", "ek[0:4]", "[]byte(ek)[0:2]",
		"string(ek)", "ek[0] == 3", "xk", "mk", "s.Cert", "s.Cert.PrivateKey.(*crypto/rsa.PrivateKey).D", `s.Keys["a"]`, "s.MAC", "s.MAC.opad", "s.MAC.ipad[0]", "s.MAC.inner", "block", "priv", "priv[0]", "priv[0:4]", "s.Seed", "s.Seed[0:4]", "s.Seed[0] + 1", "s.TLS.SessionTicketKey", "s.TLS.SessionTicketKey[0:4]", "n"}
	model := &prober{answers: []llm.Answer{{Calls: []llm.Call{use("eval", "expr", "rk.D"), use("eval", "expr", "ek[0:4]")}}, {Text: "I do not know."}}}
	dir := module(t, locksmith)
	p := play(t, options.Session{Target: options.Target{Dir: dir}, Fixes: options.Fixes{AskAtOnce: true, MaxRounds: -1,
		Profiles: []options.Profile{{Name: "test", Source: "scripted", Provider: model, Model: "prober", Prompt: "investigate"}}}})
	s := p.until("it has looked", crashed)
	stop, _ := s.CurrentStop()
	p.until("it was answered", func(session.State) bool { return len(model.requests()) >= 2 })
	sent := ""
	for _, m := range model.requests()[1].Messages {
		sent += m.Text + "\n"
	}
	text, err := p.engine.UseTool(t.Context(), values, nil)
	if err != nil {
		t.Fatal(err)
	}
	sent += text
	for _, expr := range looks {
		text, err := p.engine.UseTool(t.Context(), "eval", map[string]any{"expr": expr})
		if sent += text + "\n"; err == nil && expr != "n" && expr != "s.Cert" && !strings.Contains(text, "a key]") && !strings.Contains(text, "taken from a secret") {
			t.Errorf("%s: %s", expr, text)
		}
	}
	hidden := prompts.NewScreen(redact.New(redact.Settings{}, nil))
	journal, err := os.ReadFile(strings.TrimSuffix(p.engine.loop.Log.Path(), ".md") + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	exported := hide.Journal(string(journal), hidden)
	made, err := os.ReadFile(filepath.Join(dir, "keys.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range strings.Fields(strings.ReplaceAll(strings.TrimSpace(string(made)), "\n", "\t")) {
		if len(part) < 12 { // of bytes
			continue
		}
		if strings.Contains(sent, part) {
			t.Errorf("%s was sent: %s", part, around(sent, part))
		}
		if strings.Contains(exported, part) {
			t.Errorf("%s is exported: %s", part, around(exported, part))
		}
	}
	for _, pair := range strings.Split(strings.TrimSpace(string(made)), "\n") {
		a, b, ok := strings.Cut(pair, " ")
		for _, form := range []string{a + ", " + b, "[0]: " + a + ", [1]: " + b, `"value":"` + a + `"},{"name":"[1]"`} {
			if ok && strings.Contains(sent, form) {
				t.Errorf("%q was sent: %s", form, around(sent, form))
			}
		}
	}
	for _, left := range []string{"shop", "n = 40", "a key]"} {
		if !strings.Contains(sent, left) {
			t.Errorf("%q was not sent: %s", left, sent)
		}
	}
	if local, _ := stop.Stop.Frames[stop.Stop.Panic.Culprit].Variables()[1].Deref().Child("D"); local.Value == "" || strings.Contains(local.Value, "hidden") {
		t.Errorf("the person does not see the key: %+v", local)
	}
}

func around(text, part string) string {
	at := strings.Index(text, part)
	return text[max(at-300, 0):min(at+100, len(text))]
}
