package printable

import "testing"

func TestCutLosesNoBytes(t *testing.T) {
	for _, c := range []struct {
		s    string
		n    int
		want string
	}{
		{"abc", 3, "abc"}, {"abc", 2, "ab"}, {"abc", -1, ""}, {"", 0, ""},
		{"aé", 2, "a"}, {"aéb", 3, "aé"}, {"日本", 4, "日"}, {"日本", 5, "日"}, {"😀x", 3, ""}, {"😀x", 4, "😀"},
		{"\xff\xfeab", 3, "\xff\xfea"}, {"\xff\xfeab", 1, "\xff"}, {"\x80\x80\x80\x80\x80\x80", 5, "\x80\x80\x80\x80\x80"}, {"\xc3(x", 2, "\xc3("},
	} {
		if got := Cut(c.s, c.n); got != c.want {
			t.Errorf("Cut(%q, %d) = %q, want %q", c.s, c.n, got, c.want)
		}
	}
}
