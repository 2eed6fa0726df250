package engine

import "testing"

func TestHistoriesForAgentsHoldNoText(t *testing.T) {
	for value, want := range map[string]string{
		"nil": "nil", "absent": "absent", "-12": "-12", "12345678": "a value", `"hunter2"`: "a value", "a *main.conn": "a *main.conn", `[]string of 2 ["a" "b"]`: "a value",
		"map[string]int of 3": "a value", "main.user{name: \"x\"}": "a value", "chan int of 1": "chan int of 1", `string "x of y"`: "a value", "true": "true",
	} {
		if got := withoutText(value); got != want {
			t.Errorf("%s: %q, want %q", value, got, want)
		}
	}
}
