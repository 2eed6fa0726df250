package format

import "testing"

func TestFunctionsWithoutDirectories(t *testing.T) {
	for name, want := range map[string]string{
		"main.run":                                    "main.run",
		"example.com/shop/v2/store.Open.func1":        "store.Open.func1",
		"example.com/shop/store.(*DB).Close":          "store.(*DB).Close",
		"example.com/shop/store.Map[example.com/a.T]": "store.Map[example.com/a.T]",
	} {
		if got := withoutDirectories(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
