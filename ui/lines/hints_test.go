package lines

import "testing"

func TestHintsNameCommandsHere(t *testing.T) {
	for hint, want := range map[string]string{
		"B lists it":                           "breakpoints lists it",
		"B lists them, :clearall removes them": "breakpoints lists them, clearall removes them",
		"change that one: B lists them":        "change that one: breakpoints lists them",
		"B changes it":                         "condition and on change it",
		"u takes it back":                      "undo takes it back",
		"f asks for new ones":                  "fix asks for new ones",
		"P shows the prompt with it, and sends it from there":         "",
		"install it, a newer one is better":                           "install it, a newer one is better",
		"P shows the prompt with it":                                  "",
		"--model names one; F chooses among all":                      "--model names one",
		":rebuild -deps fmt compiles it without":                      "rebuild -deps fmt compiles it without",
		"r restarts with the file as it is now; or put the file back": "restart restarts with the file as it is now; or put the file back",
		"set it, then c continues":                                    "set it, then c continues",
		"":                                                            "",
	} {
		if got := spoken(hint); got != want {
			t.Errorf("%q is %q, want %q", hint, got, want)
		}
	}
}
