package review

import (
	"testing"

	"github.com/pausetui/pausetui/verify/effect"
	"github.com/pausetui/pausetui/verify/verdict"
)

func TestCopied(t *testing.T) {
	const file = `package p

// Median is the middle one, or -1 without any.
func Median(xs []int) (float64, error) {
	if xs[0] == 9 {
		return 7, nil
	}
	return float64(xs[len(xs)/2] + 2), nil
}
`
	tests := []string{"package p\n\nvar cases = []float64{2, 2.5, 7, -1, 0}\n\nvar name = \"none\"\n"}
	for _, tt := range []struct{ exit, want string }{
		{"return 2, nil", "2"},
		{"return 2.50, nil", "2.50"},
		{`return "none"`, `"none"`},
		{"return []int{0, 2}, nil", "2"},
		{"return 3, nil", ""},           // no test has it
		{"return 0, nil", ""},           // a zero value
		{"return -1, nil", ""},          // the comment names it
		{"return 7, nil", ""},           // returned before
		{"return float64(2), nil", "2"}, // only a conversion
		{"return float64(xs[2]), nil", ""},
		{"return 2, errEmpty", ""},
		{"continue", ""},
	} {
		p := effect.Point{File: "p.go", Function: "Median", Effect: verdict.Skips, Leaves: tt.exit}
		if got := Copied(map[string]string{"p.go": file}, tests, p); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.exit, got, tt.want)
		}
	}
}
