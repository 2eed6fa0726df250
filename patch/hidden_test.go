package patch

import (
	"strings"
	"testing"
)

func TestHiddenCharactersAreFound(t *testing.T) {
	for name, text := range map[string]string{
		"override": "x \u202e y", "isolate": "\u2066", "mark": "a\u200fb", "zero width space": "a\u200bb", "non-joiner": "a\u200cb",
		"joiner between letters": "a\u200db", "word joiner": "\u2060", "byte order mark": "a\ufeff", "soft hyphen": "a\u00adb",
		"tag": "x\U000E0041", "escape": "\x1b[2J", "C1": "\u009b", "delete": "\x7f", "carriage return": "a\rb", "line separator": "a\u2028b",
		"filler": "var \u3164 = 1", "selector": "a\ufe0f", "supplement": "a\U000E0100", "grapheme joiner": "\u034f", "flag of tags": "🏴\U000E0067\U000E007F",
	} {
		if found := HiddenIn("", text); len(found) == 0 {
			t.Errorf("%s: nothing hidden in %q", name, text)
		}
		if seen := Visible(text); !strings.Contains(seen, "‹U+") || len(HiddenIn("", seen)) > 0 {
			t.Errorf("%s: %q is drawn as %q", name, text, seen)
		}
	}
	for _, text := range []string{"é", "日本", "Ünïcödé Ελληνικά עברית العربية हिन्दी", "👩🏽‍🚀", "❤️‍🔥", "☑️ done", "1️⃣", "a\u00a0b", "a\tb\r\n", "\ufffd", "\xff"} {
		if found := HiddenIn("", text); len(found) > 0 {
			t.Errorf("%q: %v", text, found)
		}
		if Visible(text) != text {
			t.Errorf("%q is drawn as %q", text, Visible(text))
		}
	}
}

func TestHiddenCharactersThatWereThereStay(t *testing.T) {
	before := "a\n// \u202e kept\nb\n"
	if found := HiddenIn(before, "new\n"+before); len(found) > 0 {
		t.Errorf("%v", found)
	}
	want := Hidden{Line: 2, Column: 4, Rune: 0x202e}
	if found := HiddenIn(before, "a\n// \u202e changed\nb\n"); len(found) != 1 || found[0] != want {
		t.Errorf("%v, want %v", found, want)
	}
}
