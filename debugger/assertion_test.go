package debugger

import "testing"

func TestAssertion(t *testing.T) {
	for text, want := range map[string]string{
		"":                           "",
		"sum is 4\nwant 8":           "sum is 4\nwant 8",
		"Error Trace: of something":  "Error Trace: of something",
		"the Error Trace:\tis empty": "the Error Trace:\tis empty",
		"\n\tError Trace:\t/src/text_test.go:54\n\t            \t\t\t\t/src/helper_test.go:9\n\tError:      \tNot equal: \n\t            \texpected: \"1m\"\n" +
			"\t            \tactual  : \"1min\"\n\t            \t\n\t            \tDiff:\n\t            \t--- Expected\n\tTest:       \tTestAgo/minutes\n": "Not equal:\nexpected: \"1m\"\nactual  : \"1min\"\n\nDiff:\n--- Expected",
		"Error Trace:\t/src/a_test.go:7\n\tError:      \tShould be true\n\tTest:       \tTestA\n\tMessages:   \tthe door is 5 cm open\n":                            "the door is 5 cm open\nShould be true",
		"Error Trace:\t/src/a_test.go:7\n\tError:      \tReceived unexpected error:\n\t            \topen x: no such file\n\tTest:       \tTestA":                   "Received unexpected error:\nopen x: no such file",
		"\tError Trace:\t/src/a_test.go:7\n\tError:      \tNot equal: \n\t            \t  Test: (string) \"a\"\n\t            \tError: open\n\tTest:       \tTestA": "Not equal:\n  Test: (string) \"a\"\nError: open",
	} {
		if got := Assertion(text); got != want {
			t.Errorf("%q\ngave %q\nwant %q", text, got, want)
		}
	}
}
