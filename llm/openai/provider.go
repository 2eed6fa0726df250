// Package openai finds and asks the models of servers that speak OpenAI's
// protocol: hosted ones, vLLM, llama.cpp, LM Studio and others.
//
// It sends only what all of these servers understand; what one of them refuses is
// left out of the next request. The package must not know what is asked.
package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/llm/wire"
)

// Name is what the provider is called unless Options say otherwise.
const Name = "openai"

// hosted is the server that is asked when none is named.
const hosted = "https://api.openai.com/v1"

// Options configure a Provider; the zero value serves.
type Options struct {
	// Name is the provider's name in llm.Info; "openai" when empty.
	Name string
	// BaseURL is where the server is, "http://127.0.0.1:8000/v1"; without a
	// path, /v1 is meant. Empty takes OPENAI_BASE_URL, and then api.openai.com.
	BaseURL string
	// Key is sent to the server. Empty takes OPENAI_API_KEY, but only where
	// BaseURL is empty too: a key goes nowhere it was not meant for.
	Key string
	// HTTPClient sends the requests; nil for one of the provider's own.
	HTTPClient *http.Client
	// FirstToken bounds the wait for the first token; 5 minutes when zero.
	// Request.FirstToken goes first.
	FirstToken time.Duration
	// Stall bounds the wait between two tokens; 60 seconds when zero.
	Stall time.Duration
	// Total bounds the whole answer; 15 minutes when zero. Request.Total goes first.
	Total time.Duration
	// Answer is the wait for everything but completions; 10 seconds when zero.
	Answer time.Duration
}

// Provider is one server. It is safe for concurrent use and holds no
// connection between requests.
type Provider struct {
	options Options
	base    *url.URL
	client  *http.Client
	habits  habits
}

// New returns the provider for a server, without asking it anything. It fails
// for an address that cannot be one.
func New(o Options) (*Provider, error) {
	from := "base URL"
	if o.BaseURL == "" {
		from, o.BaseURL = "OPENAI_BASE_URL", strings.TrimSpace(os.Getenv("OPENAI_BASE_URL"))
		if o.Key == "" {
			o.Key = strings.TrimSpace(os.Getenv("OPENAI_API_KEY"))
		}
	}
	if o.BaseURL == "" {
		o.BaseURL = hosted
	}
	base, err := parseBase(o.BaseURL)
	if err != nil {
		return nil, advice.Add(fmt.Errorf("%s %q: %w", from, wire.Clean(o.BaseURL), err), "give a URL, for example http://127.0.0.1:8000/v1")
	}
	if strings.ContainsFunc(o.Key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, errors.New("the key of the provider holds characters that no key has")
	}
	if o.Name == "" {
		o.Name = Name
	}
	o.FirstToken = wire.OrDefault(o.FirstToken, 5*time.Minute)
	o.Stall = wire.OrDefault(o.Stall, time.Minute)
	o.Total = wire.OrDefault(o.Total, 15*time.Minute)
	o.Answer = wire.OrDefault(o.Answer, 10*time.Second)
	plain := func(next http.RoundTripper) http.RoundTripper { return next }
	p := &Provider{options: o, base: base, client: wire.Client(o.HTTPClient, plain)}
	p.habits.newTokens = base.Hostname() == "api.openai.com"
	return p, nil
}

// parseBase reads the address of a server.
func parseBase(s string) (*url.URL, error) {
	u, err := url.Parse(s)
	switch {
	case err != nil:
		return nil, errors.New("not a URL")
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, fmt.Errorf("the scheme %q is neither http nor https", u.Scheme)
	case u.Hostname() == "":
		return nil, errors.New("the host is missing")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return nil, errors.New("only a scheme, a host and a path are wanted")
	}
	if u.Path = strings.TrimRight(u.Path, "/"); u.Path == "" {
		u.Path = "/v1"
	}
	u.Path += "/"
	return u, nil
}

// Host returns the server's address, "127.0.0.1:8000".
func (p *Provider) Host() string { return p.base.Host }

// maxModels bounds the models that a server may list.
const maxModels = 5000

// Models lists the models the server has, sorted by name.
func (p *Provider) Models(ctx context.Context) ([]llm.Info, error) {
	list, err := p.list(ctx)
	if err != nil {
		return nil, fmt.Errorf("list the models of %s: %w", p.Host(), err)
	}
	slices.SortFunc(list, func(a, b llm.Info) int { return strings.Compare(a.Name, b.Name) })
	return list, nil
}

func (p *Provider) list(ctx context.Context) ([]llm.Info, error) {
	waiting, cancel := context.WithTimeout(ctx, p.options.Answer)
	defer cancel()
	var page struct {
		Data []json.RawMessage `json:"data"`
	}
	if err := p.get(waiting, "models", &page); err != nil {
		return nil, p.explain(ctx, err)
	}
	if page.Data == nil {
		return nil, p.unavailable(errProtocol.Error())
	}
	infos := make([]llm.Info, 0, min(len(page.Data), maxModels))
	for _, entry := range page.Data[:cap(infos)] {
		var named struct {
			ID string `json:"id"`
		}
		if json.Unmarshal(entry, &named) == nil && named.ID != "" {
			infos = append(infos, p.describe(named.ID, entry))
		}
	}
	return infos, nil
}

// Open returns the model of that name. It fails with llm.ErrUnknownModel, whose
// hint names near ones. A server that keeps no list is taken at its word later.
func (p *Provider) Open(ctx context.Context, name string) (llm.Model, error) {
	list, err := p.list(ctx)
	var server *ServerError
	switch {
	case errors.As(err, &server) && (server.Status == http.StatusNotFound || server.Status == http.StatusMethodNotAllowed || server.Status == http.StatusNotImplemented):
		return &model{p, p.describe(name, []byte("{}"))}, nil
	case err != nil:
		return nil, fmt.Errorf("open model %q: %w", wire.Clean(name), err)
	}
	for _, m := range list {
		if m.Name == name {
			return &model{p, m}, nil
		}
	}
	return nil, unknown(name, list)
}

// unknown says which models there are instead.
func unknown(name string, list []llm.Info) error {
	err := fmt.Errorf("%w %q", llm.ErrUnknownModel, wire.Clean(name))
	near := wire.Near(name, list)
	switch {
	case len(list) == 0:
		return advice.Add(err, "the server lists no model: load one there first")
	case len(near) == 0:
		return advice.Add(err, "there are "+wire.Some(list))
	}
	return advice.Add(err, "did you mean "+strings.Join(near, ", ")+"?")
}
