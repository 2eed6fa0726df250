package fix

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
)

// Formats are the formats of a report, by the names of --format.
var Formats = []string{"text", "json", "markdown", "patch", "sarif", "github"}

// Write writes a report in a format: for people, as one JSON object, as a comment
// on a change, as a patch for git apply (of the best verified candidate, or
// nothing), as SARIF 2.1.0, or as annotations of a GitHub workflow. The last three
// name files from the top of the repository.
func Write(w io.Writer, format string, r Report) error {
	switch format {
	case "text":
		WriteText(w, r)
		return nil
	case "json":
		return writeJSON(w, r)
	case "markdown":
		return writeMarkdown(w, r)
	case "patch":
		if best := r.inRepository().Best(); best != nil {
			text := best.Diff // of a report that was read, without its edits
			if len(best.edits) > 0 {
				text = patch.Candidate{Edits: best.edits}.GitDiff()
			}
			_, err := io.WriteString(w, text)
			return err
		}
		return nil
	case "sarif":
		return writeJSON(w, newSARIF(r.inRepository()))
	case "github":
		return writeAnnotations(printable.NewWriter(w), r.inRepository())
	}
	return fmt.Errorf("format %q: want one of %s", format, strings.Join(Formats, ", "))
}

func writeJSON(w io.Writer, v any) error {
	encoder := json.NewEncoder(printable.NewJSONWriter(w))
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}

// writeAnnotations writes commands of a GitHub workflow: an error at each stop,
// and a notice with the best fix.
func writeAnnotations(w io.Writer, r Report) error {
	for _, s := range r.Stops {
		text := s.Message
		if r.Stop != nil && s == *r.Stop && r.Diagnosis != "" {
			text += "\n" + r.Diagnosis
		}
		if s.Block != nil {
			text += fmt.Sprintf("\nin the block %s: %s", s.Block.ID, s.Block.Intent)
		}
		if err := annotate(w, "error", s.File, s.Line, s.Class.Words(), text); err != nil {
			return err
		}
	}
	if r.Error != nil {
		if err := annotate(w, "error", "", 0, "pausetui", r.Error.Message+"\n"+r.Error.Hint); err != nil || r.Best() == nil {
			return err
		}
	}
	best := r.Best()
	if best == nil || r.Stop == nil {
		words := outcomeText(r)
		for i, c := range r.Candidates {
			words += fmt.Sprintf("\nfix %d, %s: %s", i+1, c.Title, proof(c))
		}
		return annotate(w, "notice", "", 0, "pausetui", words)
	}
	return annotate(w, "notice", r.Stop.File, r.Stop.Line, "pausetui: "+best.Title, badge(*best)+"\n"+best.Explanation+"\n"+best.Diff)
}

// maxAnnotation is what GitHub shows of an annotation, in bytes.
const maxAnnotation = 4 << 10

func annotate(w io.Writer, level, file string, line int, title, text string) error {
	var properties []string
	if file != "" {
		properties = append(properties, "file="+property(file), fmt.Sprintf("line=%d", max(line, 1)))
	}
	properties = append(properties, "title="+property(title))
	_, err := fmt.Fprintf(w, "::%s %s::%s\n", level, strings.Join(properties, ","), commandText.Replace(cut(session.Clean(strings.TrimSpace(text)), maxAnnotation)))
	return err
}

// commandText escapes what a workflow command holds. GitHub takes each line that begins
// with :: for a command, so that no text of a program may begin one.
var commandText = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")

func property(text string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(commandText.Replace(cut(session.Clean(text), 200)))
}

// cut cuts a text to some bytes, between characters.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// maxComment is what fits into a comment on GitHub, with room for what a workflow adds, in
// bytes.
const maxComment = 60_000

// writeMarkdown writes the report as a comment.
func writeMarkdown(w io.Writer, r Report) error {
	var b strings.Builder
	if r.Stop == nil {
		fmt.Fprintf(&b, "### pausetui: %s\n", inline(outcomeText(r)))
		if r.Error != nil {
			b.WriteString("\n" + fence("", r.Error.Message))
		}
		_, err := io.WriteString(w, b.String())
		return err
	}
	s := r.Stop
	fmt.Fprintf(&b, "### pausetui: %s in %s\n\n%s", inline(s.Class.Words()), inline(session.ShortFunction(s.Function)), fence("", cut(s.Message, 2000)))
	fmt.Fprintf(&b, "\nAt %s, line %d, goroutine %d\n", inline(s.File), s.Line, s.Goroutine)
	if s.Block != nil {
		fmt.Fprintf(&b, "\nIn the block %s: %s\n", inline(s.Block.ID), inline(s.Block.Intent))
	}
	if r.Diagnosis != "" {
		fmt.Fprintf(&b, "\n**Why:** %s\n", inline(r.Diagnosis))
	}
	if len(r.Candidates) > 0 {
		b.WriteString("\n| fix | by | proof | lines |\n| --- | --- | --- | --- |\n")
	}
	const most = 10
	for _, c := range r.Candidates[:min(most, len(r.Candidates))] {
		fmt.Fprintf(&b, "| %s | %s | %s | +%d −%d |\n", cell(c.Title), cell(proposer(c.Model)), cell(proof(c)), c.Added, c.Removed)
	}
	fmt.Fprintf(&b, "\n**%s**\n", inline(outcomeText(r)))
	if best := r.Best(); best != nil {
		b.WriteString(behaviorTable(best.Behavior))
		b.WriteString(details("The fix: "+best.Title, best.Explanation, best.Diff, maxComment-b.Len()))
		if best.Test != nil {
			b.WriteString(details("Its regression test "+best.Test.Name, "", best.Test.Diff, maxComment-b.Len()))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// details is a diff that can be opened; a word instead of one that does not fit.
func details(title, words, diff string, left int) string {
	text := fmt.Sprintf("\n<details><summary>%s</summary>\n\n%s%s\n</details>\n", inline(title), quoted(words), fence("diff", diff))
	if len(text) > left {
		return fmt.Sprintf("\n%s is too long to be shown here (%d bytes).\n", inline(title), len(diff))
	}
	return text
}

// inline is untrusted text within markdown: nothing in it is markup, and no
// mention notifies anyone.
func inline(text string) string {
	text = strings.Join(strings.Fields(session.Clean(text)), " ")
	text = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "`", "\\`", "*", "\\*", "_", "\\_", "[", "\\[", "]", "\\]", "@", "@\u200b", "|", "\\|", "!", "\\!", "#", "\\#", "\\", "\\\\",
		"~", "\\~", "$", "\\$").Replace(text)
	return printable.NoShortcuts(text)
}

// quoted is prose of others on lines of its own; nothing where there is none.
func quoted(text string) string {
	if text = inline(cut(text, 4000)); text == "" {
		return ""
	}
	return "> " + text + "\n\n"
}

func cell(text string) string { return inline(cut(text, 200)) }

// fence puts text into a fence that nothing in it closes. Read as text, no line of it looks
// like one of the report's.
func fence(language, text string) string {
	if text = patch.Visible(text); language == "diff" {
		text = printable.Diff(text)
	} else {
		text = printable.Block(text)
	}
	longest := 2
	for _, run := range strings.FieldsFunc(text, func(r rune) bool { return r != '`' }) {
		longest = max(longest, len(run))
	}
	ticks := strings.Repeat("`", longest+1)
	return ticks + language + "\n" + strings.TrimRight(text, "\n") + "\n" + ticks + "\n"
}

// IsFormat reports whether there is a format of a name.
func IsFormat(name string) bool { return slices.Contains(Formats, name) }
