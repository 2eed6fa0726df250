package main

import (
	"bytes"
	"encoding/json"
	"os"
)

// record is a result for further analysis.
type record struct {
	Case       string      `json:"case"`
	Class      string      `json:"class"`
	Fault      string      `json:"fault"`
	Fixable    bool        `json:"fixable"`
	Setting    setting     `json:"setting"`
	Answer     string      `json:"answer,omitempty"`
	ClassRight bool        `json:"class_right"`
	Culprit    bool        `json:"culprit_right"`
	Ms         int64       `json:"ms"`
	VerifiedMs int64       `json:"verified_ms"`
	Failed     string      `json:"failed,omitempty"`
	Candidates []candidate `json:"candidates"`
}

// writeRecords writes a line for each result of an open case; the others
// are not to be read.
func writeRecords(file string, results []result) error {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	for _, r := range results {
		if !r.c.Open() {
			continue
		}
		err := encoder.Encode(record{Case: r.c.Name, Class: r.c.Class, Fault: string(r.c.Fault), Fixable: r.c.CanBeFixed(), Setting: r.setting, Answer: r.answer,
			ClassRight: r.class, Culprit: r.culprit, Ms: r.total.Milliseconds(), VerifiedMs: r.first.Milliseconds(), Failed: r.failed, Candidates: r.candidates})
		if err != nil {
			return err
		}
	}
	return os.WriteFile(file, b.Bytes(), 0o600)
}
