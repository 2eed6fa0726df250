// Package web shows past sessions in a browser: one session as a file that needs nothing
// else, and all of them as pages that only this machine can open.
//
// The page of both sessions export and sessions serve has one template, one style and one
// script, all in the binary. Its content security policy allows style and script by their
// hashes in a file, and by a nonce in a served page. The server answers only on a
// loopback address, under its own name, and below a random path. A live session is
// followed through its open file, which stays the same when the log gets its final name;
// the stream ends when no process holds the journal's lock.
//
// The rules: nothing is loaded from anywhere, nothing can be changed, and every
// page carries a content security policy that allows only its own style and
// script. All text goes through session.Clean, html/template escapes it, and every
// size has a bound. The package knows no frontend, no engine and no model.
package web

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"io"
	"sync"
	"time"

	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/session"
)

var (
	//go:embed page.css
	style string
	//go:embed page.js
	script string
	//go:embed page.tmpl
	source string
)

var pages = sync.OnceValue(func() *template.Template { return template.Must(template.New("page").Parse(source)) })

// maxPage bounds a page, in bytes.
const maxPage = 32 << 20

// ErrTooLarge is returned for a session that does not fit into a page.
var ErrTooLarge = fmt.Errorf("the page would be larger than %d MB", maxPage>>20)

// page is what the template shows: one of Session, List and Figures.
type page struct {
	Title   string
	Policy  string // of a file; a server sends its own as a header
	Nonce   string // of a page that is served
	Base    string // path of the list, with a slash at its end; empty in a file
	Query   string
	Problem string // why there is nothing to show
	Part    bool   // only the session, for a page that follows it
	Style   template.CSS
	Script  template.JS

	Session *sessionView
	List    *listView
	Figures *figuresView
	Body    template.HTML // of another package's page
}

// Document writes a page of another package as one HTML file in the same style,
// with the same search, which works without a network. The body was made by
// html/template; extra is style that is added. It fails with ErrTooLarge.
func Document(w io.Writer, title string, body template.HTML, extra string) error {
	policy := "default-src 'none'; style-src " + hashOf(style+extra) + "; script-src " + hashOf(script) + "; base-uri 'none'; form-action 'none'"
	return page{Title: session.Clean(title), Policy: policy, Body: body, Style: template.CSS(extra)}.write(w)
}

// Page writes a session as one HTML file, which works without a network. It
// fails with ErrTooLarge where that would have more than 32 MB.
func Page(w io.Writer, name string, state session.State, events []session.Event) error {
	return page{Title: session.Clean(name), Policy: filePolicy(), Session: viewSession(name, state, events, time.Time{})}.write(w)
}

// filePolicy allows the style and the script of the page, by their contents.
func filePolicy() string {
	return "default-src 'none'; style-src " + hashOf(style) + "; script-src " + hashOf(script) + "; base-uri 'none'; form-action 'none'"
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func (p page) write(w io.Writer) error {
	p.Style, p.Script = template.CSS(style)+p.Style, template.JS(script)
	var text bounded
	var err error
	if p.Part {
		err = pages().ExecuteTemplate(&text, "session", p.Session)
	} else {
		err = pages().Execute(&text, p)
	}
	if err != nil {
		if errors.Is(err, ErrTooLarge) {
			return ErrTooLarge
		}
		return fmt.Errorf("make the page: %w", err)
	}
	_, err = printable.NewWriter(w).Write(text.Bytes())
	return err
}

// bounded holds a page.
type bounded struct{ bytes.Buffer }

func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > maxPage {
		return 0, ErrTooLarge
	}
	return b.Buffer.Write(p)
}
