package redact

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// What terminals do not show may be in the middle of a secret, or of what tells one.
var unseen = []string{"\x1b[0m", "\x1b[38;5;1m", "\x1b]0;title\a", "\x1b]8;;http://x\x1b\\", "\x1b]8;;\x1b\\\x1b[0m", "\x1b(B", "\x1bPq\x1b\\", "\x00", "\a", "\r", "\x7f", "\u009b0m", "\u0085", "\u200b", "\u200d", "\ufeff", "\u00ad", "\u202e", "\U000e0041", "\xff", "x\b"}

// writings are how a text is shown: as it is, as Go and JSON quote it, and one in the other.
func writings(t *testing.T, text string) []string {
	t.Helper()
	quoted := strconv.Quote(text)
	ascii := strconv.QuoteToASCII(text)
	list := []string{text, quoted, ascii, strconv.Quote(quoted)}
	for _, s := range []string{text, quoted} {
		j, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, string(j))
	}
	return list
}

func TestSecretsAreFoundInColor(t *testing.T) {
	const secret = "Zq7secretvalue99xK"
	r := New(Settings{}, []string{"MY_DB_PASSWORD=" + secret})
	for _, u := range unseen {
		for _, form := range []string{"v %s[A]%s[B] w", "user=bob password=%shunter%s7731 host=db", "%spassword%s=hunter7731 user=bob", "pass%sword: %shunter7731\n",
			"a %sghp_0123456789%sabcdefghijABCDEFGHIJ b", "\x1b]0;%s[A]%s[B]\a", "postgres://u:hun%ster7731@db/x%s"} {
			text := strings.NewReplacer("[A]", secret[:6], "[B]", secret[6:]).Replace(fmt.Sprintf(form, u, u))
			for _, w := range writings(t, "first\n"+text+"\nlast") {
				got, found := r.Text(w)
				if len(found) == 0 || strings.Contains(got, "7731") || strings.Contains(got, "value99xK") || strings.Contains(got, "cdefghijABCDE") || !strings.Contains(got, "first") || !strings.Contains(got, "last") {
					t.Errorf("%q within: %q becomes %q", u, w, got)
				}
			}
		}
	}
}

// The places of what is hidden are those of the text as it is; the marks are the same with color
// and without, and an answer gets the text back.
func TestPlacesOfSecretsInColor(t *testing.T) {
	r := New(Settings{}, nil)
	text := "a\n\x1b[36mpassword=\x1b[0mhunter\x1b[1m7731\x1b[0m b\npassword=hunter7731\n"
	got, found := r.Text(text)
	if len(found) != 2 || found[0].Mark != found[1].Mark || found[0].Line != 2 || found[1].Line != 3 {
		t.Fatalf("found %+v", found)
	}
	m := found[0].Mark
	if want := "a\n\x1b[36mpassword=\x1b[0m" + m + "\x1b[0m b\npassword=" + m + "\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if secrets := r.Secrets(text).Secrets; len(secrets) != 1 || secrets[0] != "hunter7731" {
		t.Errorf("secrets %q", secrets)
	}
	if back, _, lost := r.Restore("x "+m, "password=hun\x1b[0mter7731"); lost || back != "x hun\x1b[0mter7731" {
		t.Errorf("restored %q, %v", back, lost)
	}
	if lines := r.Lines(text); lines[2] != "\x1b[36mpassword=\x1b[0m"+m+"\x1b[0m b" {
		t.Errorf("lines %v", lines)
	}
}

// A mark in what is left out does not stand for the secret around it.
func TestAMarkInATitleHidesNothing(t *testing.T) {
	got, _ := New(Settings{}, nil).Text("password=hun\x1b]0;" + markOf("x") + "\ater7731")
	if strings.Contains(got, "7731") {
		t.Errorf("%q", got)
	}
}

func TestNamesInColor(t *testing.T) {
	for _, u := range unseen {
		if u == "\u009b0m" || u == "x\b" { // which Seen reads in one of two ways
			continue
		}
		if name := "pass" + u + "word"; !NamesSecret(name) || !NamesPassword(name) || !IsPassword(name, "winter is coming") {
			t.Errorf("%q names no secret", name)
		}
		if _, ok := New(Settings{Names: []string{"pin"}}, nil).Hides("p"+u+"in", ""); !ok {
			t.Errorf("%q is not hidden", "p"+u+"in")
		}
	}
}
