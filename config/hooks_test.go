package config

import (
	"fmt"
	"strings"
	"testing"
)

// A person agrees to the commands that are shown: one that is drawn as another does not
// run, nor do those next to it.
func TestHooksThatAreDrawnAsOthersDoNotRun(t *testing.T) {
	for name, command := range map[string]string{
		"a title": "echo ok\x1b]0;x; touch owned; #\x07", "a color": "echo \x1b[8m; touch owned #\x1b[0m", "bidi": "echo \u202e; touch owned #",
		"no width": "ec\u200bho", "C1": "echo \u009b2K\u009bA", "return": "touch owned\recho ok    ",
	} {
		var b strings.Builder
		for _, r := range command {
			fmt.Fprintf(&b, "\\u%04X", r)
		}
		c := Defaults()
		if err := c.addModule("config.toml", []byte("[hooks]\non_stop = [\"true\", \""+b.String()+"\"]\n")); err != nil {
			t.Fatal(err)
		}
		if c.ModuleHooks.Digest() != "" || len(c.Ignored) != 1 || c.Ignored[0].Why != whyHidden {
			t.Errorf("%s: %+v %v", name, c.ModuleHooks, c.Ignored)
		}
	}
	c := Defaults()
	if err := c.addModule("config.toml", []byte("[hooks]\non_stop = [\"true\\n\\techo é\"]\n")); err != nil || c.ModuleHooks.Digest() == "" {
		t.Errorf("an honest hook does not count: %v %v", c.Ignored, err)
	}
}
