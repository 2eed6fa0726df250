package arguments

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/internal/advice"
)

func TestBinaryFlags(t *testing.T) {
	for args, want := range map[string]string{
		"":                               "",
		"-run X":                         "-test.run X",
		"--run=X=Y -v -count=1 -short":   "-test.run=X=Y -test.v -test.count=1 -test.short",
		"-run -v -v":                     "-test.run -v -test.v",
		"-v=test2json -timeout 5s":       "-test.v=test2json -test.timeout 5s",
		"-test.run X -v":                 "-test.run X -test.v",
		"--test.count=2":                 "-test.count=2",
		"-update -run X":                 "-update -test.run X",
		"-golden dir -run X":             "-golden dir -test.run X",
		"-race -json":                    "-race -json",
		"-v -args -run X":                "-test.v -run X",
		"-update --args -v":              "-update -v",
		"-v file -run X":                 "-test.v file -run X",
		"-v -- -run X":                   "-test.v -- -run X",
		"-update - -v":                   "-update - -test.v",
		"- -v":                           "- -v",
		"-run":                           "-test.run",
		"-benchmem -bench . -cpu 1,2 -x": "-test.benchmem -test.bench . -test.cpu 1,2 -x",
	} {
		if got := binaryFlags(strings.Fields(args)); !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%q becomes %q, want %q", args, got, want)
		}
	}
}

func TestFuzzingIsRefused(t *testing.T) {
	for _, args := range []string{"-fuzz FuzzX", "-run ^$ --fuzz=FuzzX", "-test.fuzz=."} {
		if _, err := OfTests(strings.Fields(args)); !errors.Is(err, errFuzzing) || !strings.Contains(advice.Of(err), "FuzzX/SEED") {
			t.Errorf("%s: %v", args, err)
		}
	}
	if got, err := OfTests([]string{"-run", "FuzzX/1a"}); err != nil || !slices.Equal(got, []string{"-test.run", "FuzzX/1a"}) {
		t.Errorf("a seed: %q, %v", got, err)
	}
}
