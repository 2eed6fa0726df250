package fix

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/google/renameio/v2"

	"github.com/pausetui/pausetui/fix"
	"github.com/pausetui/pausetui/internal/printable"
)

// reportFormat is a format of fix's report, and the file that it is written to;
// standard output where that is empty.
type reportFormat struct{ name, file string }

// Formats reads the values of --format, of which --json is one.
func (p *Printer) Formats() ([]reportFormat, error) {
	values := p.format
	if p.AsJSON {
		values = append([]string{"json"}, values...)
	}
	var list []reportFormat
	printed := 0
	for _, v := range values {
		name, file, toFile := strings.Cut(v, "=")
		switch {
		case !fix.IsFormat(name):
			return nil, fmt.Errorf("--format %q: want one of %s, or FORMAT=FILE", v, strings.Join(fix.Formats, ", "))
		case toFile && file == "":
			return nil, fmt.Errorf("--format %q: no file is named", v)
		case !toFile:
			printed++
		}
		list = append(list, reportFormat{name, file})
	}
	if printed > 1 {
		return nil, errors.New("--format: only one report can be printed; write the others to files, with FORMAT=FILE")
	}
	if printed == 0 {
		list = append(list, reportFormat{name: "text"})
	}
	return list, nil
}

// writeReport writes the report in each format. A failure is printed as text by
// the caller, with its hint; what was found before it is written here.
func (p *Printer) writeReport(r fix.Report) error {
	list, err := p.Formats()
	if err != nil {
		return err
	}
	for _, f := range list {
		switch {
		case f.file != "":
			err = writeReportFile(f, r)
		case f.name != "text":
			err = fix.Write(p.Out, f.name, r)
		case r.Outcome == fix.Failed && r.Stop == nil:
		case p.inColor():
			err = writeText(newColored(p.Out), r)
		default:
			err = writeText(p.Out, r)
		}
		if err != nil {
			return fmt.Errorf("write the report: %w", err)
		}
	}
	return nil
}

// writeText writes the report for people. A GitHub workflow obeys lines of its log: what a model
// or a program says is between two lines that turn this off.
func writeText(w io.Writer, r fix.Report) error {
	if os.Getenv("GITHUB_ACTIONS") == "true" {
		token := rand.Text()
		printable.Fprintf(w, "::stop-commands::%s\n", token)
		defer printable.Fprintf(w, "::%s::\n", token)
	}
	return fix.Write(w, "text", r)
}

// writeReportFile writes a whole file or none; one that is not a regular file, such as a pipe, is
// written as it is.
func writeReportFile(f reportFormat, r fix.Report) error {
	if info, err := os.Stat(f.file); err == nil && !info.Mode().IsRegular() {
		out, err := os.OpenFile(f.file, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(fix.Write(out, f.name, r), out.Close())
	}
	out, err := renameio.NewPendingFile(f.file, renameio.WithPermissions(0o600))
	if err != nil {
		return err
	}
	defer func() { _ = out.Cleanup() }()
	if err := fix.Write(out, f.name, r); err != nil {
		return err
	}
	return out.CloseAtomicallyReplace()
}

// printsText reports whether a person reads what is printed.
func (p *Printer) printsText() bool {
	list, err := p.Formats()
	return err == nil && slices.Contains(list, reportFormat{name: "text"})
}
