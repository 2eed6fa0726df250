package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/pausetui/pausetui/bench"
)

func TestTheRecordOfTheOtherCasesCautions(t *testing.T) {
	right := candidate{Provider: "builtin", Verified: true, Right: true, Effect: "repairs"}
	wrong := candidate{Provider: "builtin", Verified: true, Effect: "repairs"}
	agreed := wrong
	agreed.Also = []string{"ollama/strong"}
	of := func(name, class string, s setting, top candidate) result {
		return result{c: &bench.Case{Name: name, Class: class}, setting: s, candidates: []candidate{top}}
	}
	results := []result{
		of("a1", "a", builtin, wrong), of("a2", "a", builtin, right), of("a3", "a", builtin, wrong), of("a4", "a", strong, agreed),
		of("b1", "b", builtin, right), of("b2", "b", builtin, wrong), // each has one other: no record
		of("c1", "c", builtin, right), of("c2", "c", builtin, right), of("c3", "c", builtin, wrong),
	}
	caution(results)
	want := map[string]bool{"a1": true, "a2": true, "a3": true, "c1": true, "c2": true}
	for _, r := range results {
		if r.cautioned != want[r.c.Name] {
			t.Errorf("%s: cautioned is %t", r.c.Name, r.cautioned)
		}
		if r.cautioned && r.misleads() || r.c.Name == "c3" && !r.misleads() {
			t.Errorf("%s: misleads is %t", r.c.Name, r.misleads())
		}
	}
}

func TestTheRecordNamesNoClassOfOneClosedCase(t *testing.T) {
	results := sample()
	file := filepath.Join(t.TempDir(), "record.json")
	if err := writeRecord(file, results); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := "[\n\t{\n\t\t\"model\": \"builtin/rules\",\n\t\t\"prompt\": \"\",\n\t\t\"class\": \"a\",\n\t\t\"cases\": 3,\n\t\t\"right\": 1,\n\t\t\"verified\": 2\n\t}\n]\n"
	if string(got) != want {
		t.Errorf("the record is\n%swant\n%s", got, want)
	}
}
