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
		Version        string      `json:"version,omitempty"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string    `json:"id"`
		ShortDescription sarifText `json:"shortDescription"`
		FullDescription  sarifText `json:"fullDescription"`
		HelpURI          string    `json:"helpUri"`
		Help             sarifText `json:"help"`
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
	run := sarifRun{Tool: sarifTool{sarifDriver{Name: "pausetui", Version: number(r.Tool), InformationURI: home, Rules: []sarifRule{}}},
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
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, newRule(s.Class))
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

// number is a version that begins with a digit, as viewers compare them: "0.1.0" of
// "v0.1.0", and one below all others for a build without a version.
func number(version string) string {
	version = strings.TrimPrefix(version, "v")
	if version == "" || version[0] < '0' || version[0] > '9' {
		return strings.TrimSuffix("0.0.0-"+version, "-")
	}
	return version
}

// home is where pausetui is at home.
const home = "https://github.com/pausetui/pausetui"

// newRule has what code scanning on GitHub wants of a rule.
func newRule(class debugger.Class) sarifRule {
	id := string(class)
	return sarifRule{
		ID:               id,
		ShortDescription: sarifText{"The program stops with " + id + "."},
		FullDescription:  sarifText{"pausetui ran the program, or its tests, under a debugger, and it stopped with " + id + " at this line."},
		HelpURI:          home,
		Help: sarifText{"The message says why the program stops there, as far as the values at the stop tell it. " +
			"Fixes that are listed passed every check in a sandbox. To look around at the stop, run pausetui debug, or pausetui test, on the same package."},
	}
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
