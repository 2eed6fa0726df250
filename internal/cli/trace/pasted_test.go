package trace

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestPasted(t *testing.T) {
	for name, tt := range map[string]struct {
		typed, want, told string
		err               error
	}{
		"to ctrl+d":     {"a\rb\r\x04c\r", "a\nb\n", "2 lines", nil},
		"no last end":   {"a\rb\x04", "a\nb", "1 line", nil},
		"line feeds":    {"a\nb\n\x04", "a\nb\n", "2 lines", nil},
		"both":          {"a\r\nb\r\n\r\n\x04", "a\nb\n\n", "3 lines", nil},
		"the end comes": {"a\rb", "a\nb", "1 line", nil},
		"given up":      {"a\r\x03b", "a\n", "1 line", errGivenUp},
		"nothing":       {"\x04", "", "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			for _, in := range []io.Reader{strings.NewReader(tt.typed), iotest.OneByteReader(strings.NewReader(tt.typed))} {
				var told strings.Builder
				got, err := io.ReadAll(&pasted{in: in, progress: &told})
				if string(got) != tt.want || !errors.Is(err, tt.err) || !strings.HasSuffix(told.String(), tt.told) {
					t.Errorf("%q, %v, told %q", got, err, told.String())
				}
			}
		})
	}
}
