package build

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// maxFindings bounds what is read of vet's output, in bytes.
const maxFindings = 8 << 20

// Vet runs go vet on the packages under the spec's overlay and returns its
// findings, by place. It fails with *Error when the packages do not type-check.
func Vet(ctx context.Context, s Spec, packages []string) ([]Diagnostic, error) {
	o, err := newOverlay(s.Overlay)
	if err != nil {
		return nil, err
	}
	defer o.Close()
	args := slices.Concat([]string{"vet", "-json"}, commonFlags(s), o.flags(), packages)
	// Go 1.25 prints findings to stderr, later ones to stdout.
	out := head{most: maxFindings}
	ended, err := compileTo(ctx, s, o, &out, "", args...)
	if err != nil {
		return nil, err
	}
	if !ended.OK {
		text := strings.ReplaceAll(out.String(), "{}\n", "") // packages without findings
		return nil, refusedBy(s, ended, o.named(text[:min(len(text), maxOutput)]))
	}
	findings, err := parseVet(out.String())
	if err != nil {
		return nil, fmt.Errorf("vet %q: %w", s.Package, err)
	}
	for i := range findings {
		findings[i].File = o.source(findings[i].File)
	}
	slices.SortFunc(findings, func(a, b Diagnostic) int {
		if c := strings.Compare(a.File, b.File); c != 0 {
			return c
		}
		return a.Line - b.Line
	})
	return findings, nil
}

// finding is one entry of vet's JSON: package → analyzer → findings.
type finding struct{ Posn, Message string }

func parseVet(text string) ([]Diagnostic, error) {
	var clean strings.Builder
	for line := range strings.Lines(text) {
		// "# package" precedes findings; "go: downloading …" is the go
		// command's own, where a test needs a module that no build did.
		if !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "go: ") {
			clean.WriteString(line)
		}
	}
	var list []Diagnostic
	for dec := json.NewDecoder(strings.NewReader(clean.String())); ; {
		var packages map[string]map[string]json.RawMessage
		if err := dec.Decode(&packages); errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, fmt.Errorf("read findings: %w", err)
		}
		for _, analyzers := range packages {
			for _, raw := range analyzers {
				var findings []finding
				if json.Unmarshal(raw, &findings) != nil {
					continue // {"error": …}: the analyzer failed, not the code
				}
				for _, f := range findings {
					list = append(list, f.diagnostic())
				}
			}
		}
	}
}

func (f finding) diagnostic() Diagnostic {
	d := Diagnostic{Message: f.Message}
	rest, column, ok1 := cutLast(f.Posn)
	file, line, ok2 := cutLast(rest)
	if ok1 && ok2 {
		d.File, d.Line, d.Column = file, line, column
	}
	return d
}

// cutLast cuts ":number" off the end.
func cutLast(s string) (string, int, bool) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return s, 0, false
	}
	n, err := strconv.Atoi(s[i+1:])
	return s[:i], n, err == nil
}
