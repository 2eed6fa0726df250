package help

import (
	"bytes"
	"strings"
	"testing"
)

func TestParagraphsFlow(t *testing.T) {
	long := strings.Repeat("many words ", 8)
	for text, want := range map[string]string{
		long + "\nand more":                long + " and more",
		long + "\n\nanother paragraph":     long + "\n\nanother paragraph",
		long + "\n    code":                long + "\n    code",
		"short\nlines stay":                "short\nlines stay",
		long + "\n" + long + "\nend\nlast": long + " " + long + " end\nlast",
	} {
		if got := flowing(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestExamplesAreBrokenAsShellsReadThem(t *testing.T) {
	const example = "# a comment that is longer than the terminal\npausetui bench run --models 'a, b' --yes --trials 3"
	want := "# a comment that is longer than the terminal\npausetui bench run \\\n--models 'a, b' \\\n--yes --trials 3"
	if got := wrapExamples(example, 24); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := wrapExamples(example, 80); got != example {
		t.Errorf("what fits becomes %q", got)
	}
}

func TestPipedHelpIsNotPadded(t *testing.T) {
	var out bytes.Buffer
	u := Unpadded(&out)
	for _, part := range []string{"  two words  ", "  \n", "\n   ", "\nend "} {
		if n, err := u.Write([]byte(part)); n != len(part) || err != nil {
			t.Fatal(n, err)
		}
	}
	if got := out.String(); got != "  two words\n\n\nend" {
		t.Errorf("%q", got)
	}
}
