package workspace

import (
	"strings"
	"testing"
)

const asserting = `package p

func TestAll(t *testing.T) {
	if testing.Short() {
		t.Fatal("A")
	}
	for name, tt := range tests {
		for i := 0; i < 3; i++ {
			t.Run(name, func(t *testing.T) {
				if got := Sum(tt.in); got != tt.want[i] || len(got) > 3 {
					t.Errorf("B %v", got)
				}
				t.Fatal("C", name)
				if err := run(); err != nil {
					t.Fatal("D", err)
				} else {
					t.Error("E")
				}
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Error("F", diff)
				}
				if !reflect.DeepEqual(got, tt.want) {
					t.Error("G")
				}
				assert.Equal(t, 3, got, "H")
			})
		}
	}
	t.FailNow() // I
	if sum, ok := got.(int); ok {
		equal(t, sum) // J
	}
}
`

func TestAssertionAt(t *testing.T) {
	for mark, want := range map[string]string{
		"A": "|", "B": "name tt i|got tt.want[i] len(got) tt.in", "C": "name tt i|name", "D": "name tt i|err", "E": "name tt i|err",
		"F": "name tt i|diff tt.want got", "G": "name tt i|got tt.want", "H": "name tt i|got", "I": "|",
	} {
		line := 1 + strings.Count(asserting[:strings.Index(asserting, "("+`"`+mark)+1], "\n")
		switch mark {
		case "H":
			line = 1 + strings.Count(asserting[:strings.Index(asserting, `"H"`)], "\n")
		case "I":
			line = 1 + strings.Count(asserting[:strings.Index(asserting, "// I")], "\n")
		}
		a := AssertionAt([]byte(asserting), line, false)
		if got := strings.Join(a.Loops, " ") + "|" + strings.Join(a.Compared, " "); got != want {
			t.Errorf("%s at line %d: %q, want %q", mark, line, got, want)
		}
	}
	for helper, want := range map[bool]string{false: "ok", true: "sum"} {
		line := 1 + strings.Count(asserting[:strings.Index(asserting, "// J")], "\n")
		if got := strings.Join(AssertionAt([]byte(asserting), line, helper).Compared, " "); got != want {
			t.Errorf("the line of a helper (%t) compares %q, want %q", helper, got, want)
		}
	}
	if a := AssertionAt([]byte("package"), 1, false); a.Loops != nil || a.Compared != nil {
		t.Errorf("of a broken file: %+v", a)
	}
}
