package session

import "testing"

func TestShortFunction(t *testing.T) {
	for in, want := range map[string]string{
		"example.com/a/b.(*T).M": "(*T).M", "main.load.func1": "load.func1", "main.load.gowrap1": "load",
		"gopkg.in/yaml.v3.fail": "fail", "panic": "panic",
	} {
		if got := ShortFunction(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
