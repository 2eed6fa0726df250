package verdict

import "testing"

// What tells two answers apart is shown, however long they are.
func TestApart(t *testing.T) {
	long := `list([]note{{text: "signed", by: &author{name: "Ann"}}})`
	for _, test := range []struct {
		apart Apart
		want  string
	}{
		{Apart{Input: "f(0)", There: `returns ""`, Here: `error "x"`}, `differs from 1: f(0) → "" there, error "x" here`},
		{Apart{Same: 1}, "answers as 1 on 1 input"},
		{Apart{Function: "list", Input: long, There: `returns "signed by Ann\nunsigned\n"`, Here: `returns "signed by Ann\nunsigned"`}, `differs from 1: list(…) → …igned\n" there, …igned" here`},
		{Apart{Function: "list", Input: long, There: `returns ""`, Here: `returns "signed by Ann, who is not here"`}, `differs from 1: list(…) → "" there, "signed by Ann, … here`},
	} {
		if got := test.apart.Brief("1"); got != test.want {
			t.Errorf("%s, want %s", got, test.want)
		}
	}
}
