package record

import (
	"reflect"
	"strings"
	"testing"
)

func TestALongTextEndsWithAWholeCharacter(t *testing.T) {
	for n := range 3 {
		s := strings.Repeat("a", n) + strings.Repeat("あ", 40)
		if got := Text(reflect.ValueOf(s)); strings.Contains(got, `\x`) || !strings.HasSuffix(got, `あ"…`) {
			t.Errorf("%d: %s", n, got)
		}
	}
	if got := Text(reflect.ValueOf(strings.Repeat("\x80", 100))); !strings.HasPrefix(got, `"\x80`) {
		t.Errorf("bytes: %s", got)
	}
}
