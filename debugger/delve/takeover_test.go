package delve

import "testing"

func TestBlanksOfAConditionAreDelves(t *testing.T) {
	for _, test := range []struct {
		a, b string
		same bool
	}{
		{`n==1`, `n == 1`, true},
		{`name == "a  b"`, `name == "a b"`, false},
		{`len( xs )>0&&ok`, `len(xs) > 0 && ok`, true},
		{`n ==`, `n  ==`, false},
	} {
		if same := asDelve(test.a) == asDelve(test.b); same != test.same {
			t.Errorf("%q and %q: %v", test.a, test.b, same)
		}
	}
}
