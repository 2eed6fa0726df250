package main

import (
	"strings"
	"testing"
)

// What an agent reads of machine code tells no text that the source hides, and its numbers elsewhere.
func TestAnAgentReadsNoSecretsInInstructions(t *testing.T) {
	t.Parallel()
	s := agent(t, program(t, "package main\n\nimport \"os\"\n\n//go:noinline\nfunc check(password string) bool { return password == \"wolfram7\" }\n\n"+
		"//go:noinline\nfunc sum(list []int, n int) int { return list[n] + 4711 }\n\nfunc main() { println(check(os.Args[0]), sum(nil, len(os.Args))) }\n"), "--offline", ".")
	atCrash(t, s)
	text, ok := call(t, s, "disassemble", map[string]any{"location": "main.check"})
	if !ok || !strings.Contains(text, "main.go:6") || strings.Contains(text, "6172666c") || strings.Contains(text, "776f6c66") {
		t.Error(text)
	}
	if text, ok := call(t, s, "disassemble", map[string]any{"location": "main.sum"}); !ok || !strings.Contains(strings.ToLower(text), "0x1267") {
		t.Error(text)
	}
}
