package web

import (
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/session/index"
)

// Bounds of what is served.
const (
	maxQuery   = 500 // bytes
	perPage    = 100 // sessions
	maxStreams = 16  // sessions that are followed at a time
)

// Options say what is served, and to whom.
type Options struct {
	Index *index.Index
	Addr  string // the address that is listened on: "127.0.0.1:43211"
	Token string // the first part of every path
	Now   func() time.Time
}

// NewToken returns a token that cannot be guessed.
func NewToken() string { return rand.Text() }

// Path is the path of the list of sessions.
func (o Options) Path() string { return "/" + o.Token + "/" }

// Loopback returns the address if only this machine can connect to it.
func Loopback(addr string) (string, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return "", fmt.Errorf("%q is not an address: %w", addr, err)
	}
	if host == "localhost" {
		host = "127.0.0.1"
	}
	if ip := net.ParseIP(host); ip == nil || !ip.IsLoopback() {
		return "", fmt.Errorf("%q is not an address of this machine alone", addr)
	}
	return net.JoinHostPort(host, port), nil
}

type server struct {
	Options

	one     sync.Mutex    // a page at a time: each may need much memory
	streams chan struct{} // holds an element for each session that is followed
}

// Handler serves the sessions of an index, for reading only: the list at /TOKEN/,
// a session, one that goes on, and statistics. It answers only requests for its
// own address with the token.
func Handler(o Options) http.Handler {
	s := &server{Options: o, streams: make(chan struct{}, maxStreams)}
	mux := http.NewServeMux()
	mux.HandleFunc(o.Path()+"{$}", s.list)
	mux.HandleFunc(o.Path()+"stats", s.stats)
	mux.HandleFunc(o.Path()+"s/{name}", s.session)
	mux.HandleFunc(o.Path()+"s/{name}/events", s.events)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		protect(w.Header())
		within(w)
		switch {
		case r.Method != http.MethodGet:
			w.Header().Set("Allow", http.MethodGet)
			http.Error(w, "this page is for reading only", http.StatusMethodNotAllowed)
		case !s.ours(r.Host):
			http.Error(w, "this is not the address of this page", http.StatusForbidden)
		case !s.knows(r.URL.Path):
			http.NotFound(w, r)
		default:
			mux.ServeHTTP(w, r)
		}
	})
}

// protect sets what holds for every answer.
func protect(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
}

// within bounds how long a browser may take to read what is written next.
func within(w http.ResponseWriter) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(30 * time.Second)) // not every writer has one
}

// ours reports whether a request names this server. Another name may have been
// made to lead here (DNS rebinding).
func (s *server) ours(host string) bool {
	_, port, _ := net.SplitHostPort(s.Addr)
	return host == s.Addr || host == net.JoinHostPort("localhost", port)
}

// knows compares in constant time.
func (s *server) knows(path string) bool {
	token, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return s.Token != "" && subtle.ConstantTimeCompare([]byte(token), []byte(s.Token)) == 1
}

// answer writes a page with its own policy.
func (s *server) answer(w http.ResponseWriter, status int, p page) {
	p.Base, p.Nonce = s.Path(), rand.Text()
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", fmt.Sprintf("default-src 'none'; style-src 'nonce-%[1]s'; script-src 'nonce-%[1]s'; connect-src 'self'; "+
		"base-uri 'none'; form-action 'self'; frame-ancestors 'none'", p.Nonce))
	err := p.write(&lazy{ResponseWriter: w, status: status})
	if errors.Is(err, ErrTooLarge) {
		s.answer(w, http.StatusRequestEntityTooLarge, page{Title: "Too large", Problem: "This session is too large for a page: " + err.Error()})
	}
}

// lazy sends the status with the first byte.
type lazy struct {
	http.ResponseWriter
	status int
}

func (l *lazy) Write(p []byte) (int, error) {
	if l.status != 0 {
		l.WriteHeader(l.status)
		l.status = 0
	}
	return l.ResponseWriter.Write(p)
}

func (s *server) problem(w http.ResponseWriter, status int, err error) {
	s.answer(w, status, page{Title: http.StatusText(status), Problem: line(err.Error())})
}

// query reads the question of a request, and brings the index up to date.
func (s *server) query(w http.ResponseWriter, r *http.Request) (text string, q index.Query, ok bool) {
	text = r.URL.Query().Get("q")
	if len(text) > maxQuery {
		s.problem(w, http.StatusBadRequest, fmt.Errorf("the query has more than %d bytes", maxQuery))
		return "", q, false
	}
	text = line(text)
	q, err := index.ParseQuery(text, s.Now())
	if err != nil {
		s.answer(w, http.StatusBadRequest, page{Title: "Sessions", Query: text, Problem: line(err.Error()), List: &listView{}})
		return "", q, false
	}
	if _, err := s.Index.Refresh(r.Context(), nil); err != nil {
		s.problem(w, http.StatusInternalServerError, err)
		return "", q, false
	}
	return text, q, true
}

type listView struct {
	Found        string
	Sessions     []rowView
	Newer, Older string
}

type rowView struct{ Link, Class, Message, Outcome, Tone, At, Target, Where, Models string }

func (s *server) list(w http.ResponseWriter, r *http.Request) {
	s.one.Lock()
	defer s.one.Unlock()
	text, q, ok := s.query(w, r)
	if !ok {
		return
	}
	from, _ := strconv.Atoi(r.URL.Query().Get("from")) // 0 for what is no number
	from = min(max(from, 0), 1<<30)
	found, total, err := s.Index.Search(r.Context(), q, perPage, from)
	if err != nil {
		s.problem(w, http.StatusInternalServerError, err)
		return
	}
	v := &listView{Found: fmt.Sprintf("%d sessions", total)}
	if total > perPage {
		v.Found += fmt.Sprintf(", %d to %d", from+1, from+len(found))
	}
	for _, one := range found {
		v.Sessions = append(v.Sessions, s.row(one))
	}
	if from > 0 {
		v.Newer = s.listPath(text, max(from-perPage, 0))
	}
	if from+len(found) < total {
		v.Older = s.listPath(text, from+perPage)
	}
	s.answer(w, http.StatusOK, page{Title: "Sessions", Query: text, List: v})
}

func (s *server) listPath(query string, from int) string {
	return s.Path() + "?" + url.Values{"q": {query}, "from": {strconv.Itoa(from)}}.Encode()
}

func (s *server) row(one index.Session) rowView {
	row := rowView{
		Link: s.Path() + "s/" + url.PathEscape(one.Name), Class: line(one.Class), Message: line(one.Message + one.Error), Outcome: line(one.Outcome), Tone: judgedTone(one.Judgement),
		At: one.At.Format("2 Jan 2006 15:04"), Target: line(one.Target), Models: line(strings.Join(one.Models, ", ")),
	}
	if row.Class == "" {
		row.Class = "no crash"
	}
	if one.Function != "" {
		row.Where = line(fmt.Sprintf("%s, %s:%d", one.Function, one.File, one.Line))
	}
	return row
}

func (s *server) session(w http.ResponseWriter, r *http.Request) {
	s.one.Lock()
	defer s.one.Unlock()
	e, err := s.find(r.PathValue("name"))
	if err != nil {
		s.problem(w, http.StatusNotFound, err)
		return
	}
	info, err := os.Lstat(e.Journal)
	switch {
	case err != nil:
		s.problem(w, http.StatusNotFound, err)
		return
	case info.Size() > session.MaxListed:
		s.problem(w, http.StatusRequestEntityTooLarge, fmt.Errorf("the journal has more than %d MB", session.MaxListed>>20))
		return
	}
	events, err := session.ReadFile(e.Journal)
	if err != nil && len(events) == 0 {
		s.problem(w, http.StatusUnprocessableEntity, err)
		return
	}
	state, life := session.Fold(session.NewState(), events), e.Life()
	now := time.Time{}
	if life == session.Running {
		now = s.Now()
	}
	v := viewSession(e.Name, state, events, now)
	if err != nil {
		v.Note = line(err.Error())
	}
	switch life {
	case session.Running:
		last := uint64(0)
		if len(events) > 0 {
			last = events[len(events)-1].Seq
		}
		v.Live = fmt.Sprintf("%ss/%s/events?after=%d", s.Path(), url.PathEscape(e.Name), last)
	case session.Killed:
		v.Outcome = string(life)
	}
	s.answer(w, http.StatusOK, page{Title: v.Name, Session: v, Part: r.URL.Query().Has("part")})
}

// find returns the session of a name. One that was running when it was listed may
// have another name by now.
func (s *server) find(name string) (session.Entry, error) {
	list, err := session.List(s.Index.Logs())
	if err != nil {
		return session.Entry{}, err
	}
	id, running := strings.CutSuffix(name, "running")
	for _, e := range list {
		rest, same := strings.CutPrefix(e.Name, id)
		if e.Name == name || running && same && rest != "" && (rest[0] < '0' || rest[0] > '9') {
			return e, nil
		}
	}
	return session.Entry{}, session.ErrNoSession
}
