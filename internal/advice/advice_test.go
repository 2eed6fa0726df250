package advice_test

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"github.com/pausetui/pausetui/internal/advice"
)

func TestAdviceGoesWithTheError(t *testing.T) {
	cause := fmt.Errorf("read config: %w", fs.ErrNotExist)
	advised := advice.Add(cause, "make one")
	for _, c := range []struct {
		name string
		err  error
		text string
		want string
	}{
		{"none", cause, "read config: file does not exist", ""},
		{"added", advised, "read config: file does not exist", "make one"},
		{"wrapped", fmt.Errorf("start: %w", advised), "start: read config: file does not exist", "make one"},
		{"joined", errors.Join(errors.New("first"), advised), "first\nread config: file does not exist", "make one"},
		{"the outermost", advice.Add(fmt.Errorf("start: %w", advised), "run init"), "start: read config: file does not exist", "run init"},
	} {
		if c.err.Error() != c.text || advice.Of(c.err) != c.want {
			t.Errorf("%s: %q, advice %q; want %q, %q", c.name, c.err, advice.Of(c.err), c.text, c.want)
		}
		if !errors.Is(c.err, fs.ErrNotExist) {
			t.Errorf("%s: the cause is lost", c.name)
		}
	}
}

func TestNoErrorTakesNoAdvice(t *testing.T) {
	if err := advice.Add(nil, "do something"); err != nil {
		t.Errorf("%v", err)
	}
	if got := advice.Of(nil); got != "" {
		t.Errorf("advice %q for no error", got)
	}
}
