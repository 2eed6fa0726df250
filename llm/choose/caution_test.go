package choose

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestARecordIsDoubtfulFromTwoJudgedFixesOn(t *testing.T) {
	for _, c := range []struct {
		verified, right int
		want            bool
	}{
		{0, 0, false}, {1, 0, false}, {2, 0, true}, {2, 1, true}, {2, 2, false}, {3, 1, true}, {3, 2, false}, {6, 3, true}, {13, 10, false},
	} {
		if got := Doubtful(c.verified, c.right); got != c.want {
			t.Errorf("Doubtful(%d, %d) = %t, want %t", c.verified, c.right, got, c.want)
		}
	}
}

func TestTheCautionSaysWhatTheCorpusShowed(t *testing.T) {
	var list []BenchResult
	if err := json.Unmarshal(builtinRecord, &list); err != nil {
		t.Fatal(err)
	}
	for _, r := range list {
		got := Caution(r.Class, "builtin/rules")
		if want := Doubtful(r.Verified, r.Right); want != (got != "") {
			t.Errorf("Caution(%q) = %q with %d of %d right", r.Class, got, r.Right, r.Verified)
		}
		if got != "" && !strings.Contains(got, r.Class) {
			t.Errorf("Caution(%q) = %q does not name the class", r.Class, got)
		}
		if other := Caution(r.Class, "ollama/qwen3-coder"); other != "" {
			t.Errorf("a model is blamed for the built-in fixer: %q", other)
		}
	}
}
