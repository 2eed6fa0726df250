package patch

import (
	"strings"
	"testing"
)

const withMarks = `package p

import "testing"

// TestOther is the person's own, with a mark of an earlier time.
func TestOther(t *testing.T) {
	_ = 1 // new: confirm
}

func TestAnswers(t *testing.T) {
	// Calls of f.
	// new: confirm stands beside an answer.
	for _, want := range []string{
		"a // new: confirm", // new: confirm
		` + "`\n\t// new: confirm\n`" + `,
	} {
		_ = want // is compared
	}
}
`

// Confirming takes the marks of the one test, and no text.
func TestConfirmed(t *testing.T) {
	made := RegressionTest{Name: "TestAnswers", Edit: Edit{After: withMarks}}
	want := strings.Replace(strings.Replace(withMarks, "\t// new: confirm stands beside an answer.\n", "", 1), `confirm", // new: confirm`, `confirm",`, 1)
	if got := made.Confirmed().Edit.After; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	broken := RegressionTest{Name: "TestAnswers", Edit: Edit{After: "package p\nfunc {"}}
	if got := broken.Confirmed(); got != broken {
		t.Errorf("got %+v", got)
	}
}

// The reason in a comment is one line of it, whatever it quotes.
func TestBecause(t *testing.T) {
	text := "package p\n\nfunc TestF(t *testing.T) {\n\t// As it was called.\n\t// " + AssertsOnly("does not panic") + "\n\tf()\n}\n"
	made := RegressionTest{Name: "TestF", Asserts: "does not panic", Edit: Edit{After: text}}
	got := made.Because("it holds a file.\n\tos.Exit(1) \u2028*/" + strings.Repeat("x", 500)).Edit.After
	want := "\t// Asserts only that it does not panic: the right result is not known (it holds a file. os.Exit(1) */xxx"
	if !strings.Contains(got, want) || strings.Count(got, "\n") != strings.Count(text, "\n") || len(got) > len(text)+200 {
		t.Errorf("no %q in\n%s", want, got)
	}
}
