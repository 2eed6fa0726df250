package fix

import (
	"fmt"
	"net/url"
	"strings"
	"unicode/utf16"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
)

// The parts of SARIF 2.1.0 that a report fills in:
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		Results     []sarifResult     `json:"results"`
		ColumnKind  string            `json:"columnKind"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string    `json:"id"`
		ShortDescription sarifText `json:"shortDescription"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifInvocation struct {
		ExecutionSuccessful bool                `json:"executionSuccessful"`
		Notifications       []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Level   string    `json:"level"`
		Message sarifText `json:"message"`
	}
	sarifResult struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      sarifText         `json:"message"`
		Locations    []sarifLocation   `json:"locations,omitempty"`
		Fingerprints map[string]string `json:"partialFingerprints,omitempty"`
		Fixes        []sarifFix        `json:"fixes,omitempty"`
	}
	sarifLocation struct {
		Physical sarifPhysical  `json:"physicalLocation"`
		Logical  []sarifLogical `json:"logicalLocations,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI  string `json:"uri"`
		Base string `json:"uriBaseId,omitempty"`
	}
	sarifLogical struct {
		Name string `json:"fullyQualifiedName"`
		Kind string `json:"kind"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn,omitempty"`
		EndLine     int `json:"endLine,omitempty"`
		EndColumn   int `json:"endColumn,omitempty"`
	}
	sarifFix struct {
		Description sarifText     `json:"description"`
		Changes     []sarifChange `json:"artifactChanges"`
	}
	sarifChange struct {
		Artifact     sarifArtifact      `json:"artifactLocation"`
		Replacements []sarifReplacement `json:"replacements"`
	}
	sarifReplacement struct {
		Deleted  sarifRegion `json:"deletedRegion"`
		Inserted *sarifText  `json:"insertedContent,omitempty"`
	}
)

// newSARIF is a report as SARIF: a result for each stop, of the rule that is the class.
// The first result has the verified candidates as fixes, the best one first.
func newSARIF(r Report) sarifLog {
	run := sarifRun{Tool: sarifTool{sarifDriver{Name: "pausetui", InformationURI: "https://github.com/pausetui/pausetui", Rules: []sarifRule{}}},
		Invocations: []sarifInvocation{{ExecutionSuccessful: r.Outcome != Failed}}, Results: []sarifResult{}, ColumnKind: "utf16CodeUnits"}
	if r.Error != nil {
		run.Invocations[0].Notifications = []sarifNotification{{"error", sarifText{strings.TrimSpace(r.Error.Message + "\n" + r.Error.Hint)}}}
	}
	rules := map[debugger.Class]int{}
	for i, s := range r.Stops {
		index, known := rules[s.Class]
		if !known {
			index = len(rules)
			rules[s.Class] = index
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{string(s.Class), sarifText{"The program stops with " + string(s.Class)}})
		}
		result := sarifResult{RuleID: string(s.Class), RuleIndex: index, Level: "error", Message: sarifText{sarifMessage(r, s, i == 0)}}
		if s.Fingerprint != "" {
			result.Fingerprints = map[string]string{"pausetui/v1": s.Fingerprint}
		}
		if s.File != "" {
			at := sarifLocation{Physical: sarifPhysical{Artifact: artifact(s.File), Region: &sarifRegion{StartLine: max(s.Line, 1)}}}
			if s.Function != "" {
				at.Logical = []sarifLogical{{s.Function, "function"}}
			}
			result.Locations = []sarifLocation{at}
		}
		if i == 0 {
			result.Fixes = sarifFixes(r)
		}
		run.Results = append(run.Results, result)
	}
	return sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}}
}

func sarifMessage(r Report, s Stop, first bool) string {
	text := fmt.Sprintf("%s: %s", s.Class, s.Message)
	if s.Block != nil {
		text += fmt.Sprintf("\nIn the block %s: %s", s.Block.ID, s.Block.Intent)
	}
	if first && r.Diagnosis != "" {
		text += "\n" + r.Diagnosis
	}
	return session.Clean(text)
}

// artifact names a file, relative to the root of the repository's checkout unless it is absolute.
func artifact(file string) sarifArtifact {
	uri := (&url.URL{Path: file}).String()
	if strings.HasPrefix(file, "/") {
		return sarifArtifact{URI: "file://" + uri}
	}
	first, rest, below := strings.Cut(strings.TrimPrefix(uri, "./"), "/")
	uri = strings.ReplaceAll(first, ":", "%3A") // or it would be a scheme
	if below {
		uri += "/" + rest
	}
	return sarifArtifact{URI: uri, Base: "%SRCROOT%"}
}

func sarifFixes(r Report) []sarifFix {
	var fixes []sarifFix
	for _, c := range r.Candidates {
		if !c.Verified {
			continue
		}
		f := sarifFix{Description: sarifText{c.Title + " (" + badge(c) + ", by " + c.Model + ")\n" + c.Explanation}}
		for _, e := range c.edits {
			if list := replacements(e); len(list) > 0 {
				f.Changes = append(f.Changes, sarifChange{artifact(e.File), list})
			}
		}
		if len(f.Changes) > 0 {
			fixes = append(fixes, f)
		}
	}
	return fixes
}

// replacements are the changed lines of an edit.
func replacements(e patch.Edit) []sarifReplacement {
	before, after := strings.SplitAfter(e.Before, "\n"), strings.SplitAfter(e.After, "\n")
	var list []sarifReplacement
	for _, h := range patch.Hunks(e) {
		head, tail := 0, 0
		for head < len(h.Lines) && h.Lines[head].Op == patch.Same {
			head++
		}
		for tail < len(h.Lines)-head && h.Lines[len(h.Lines)-1-tail].Op == patch.Same {
			tail++
		}
		from, to := h.OldStart+head, h.OldStart+h.OldLines-tail
		newFrom, newTo := h.NewStart+head, h.NewStart+h.NewLines-tail
		one := sarifReplacement{Deleted: region(before, from, to)}
		if text := strings.Join(after[newFrom-1:newTo-1], ""); text != "" {
			one.Inserted = &sarifText{text}
		}
		list = append(list, one)
	}
	return list
}

// region is the lines from one to another, exclusive. Where the last line of the
// file has no newline it ends with that line.
func region(lines []string, from, to int) sarifRegion {
	if last := len(lines); to > last && last > 0 && lines[last-1] != "" {
		return sarifRegion{StartLine: min(from, last), StartColumn: column(lines, from), EndLine: last, EndColumn: 1 + units(lines[last-1])}
	}
	return sarifRegion{StartLine: from, StartColumn: 1, EndLine: to, EndColumn: 1}
}

// column is 1, or the end of the last line where from is past it.
func column(lines []string, from int) int {
	if from > len(lines) {
		return 1 + units(lines[len(lines)-1])
	}
	return 1
}

// units counts UTF-16 code units, as SARIF counts columns.
func units(text string) int { return len(utf16.Encode([]rune(text))) }
