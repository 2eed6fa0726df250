// Package ollama finds and asks the models of an Ollama server.
//
// It is the only importer of Ollama's client. Nothing is lost silently: the server
// may not truncate prompts or shift the context, and an answer counts only when
// the server says that it is complete. The package must not know what is asked.
package ollama

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ollama/ollama/api"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/llm/wire"
)

// Name is what the provider is called unless Options say otherwise.
const Name = "ollama"

// Options configure a Provider; the zero value serves.
type Options struct {
	// Name is the provider's name in llm.Info; "ollama" when empty.
	Name string
	// Host is where the server is, as OLLAMA_HOST writes it: "host",
	// "host:port", "https://host". Empty takes OLLAMA_HOST, and then
	// 127.0.0.1:11434.
	Host string
	// HTTPClient sends the requests; nil for one of the provider's own.
	HTTPClient *http.Client
	// FirstToken bounds the wait for the first token, which may include
	// loading the model; 5 minutes when zero. Request.FirstToken goes first.
	FirstToken time.Duration
	// Stall bounds the wait between two tokens; 60 seconds when zero.
	Stall time.Duration
	// Total bounds the whole answer; 15 minutes when zero. Request.Total goes first.
	Total time.Duration
	// Answer is the wait for everything but completions; 10 seconds when zero.
	Answer time.Duration
	// PullStall bounds the silence of a pull, which may check many gigabytes
	// without a word; 10 minutes when zero.
	PullStall time.Duration
	// MaxContext bounds num_ctx, in tokens, below the model's own limit,
	// because a context costs memory; 32768 when zero.
	MaxContext int
	// KeepAlive is how long the server keeps the model loaded; its own default when zero.
	KeepAlive time.Duration
}

// Provider is one Ollama server. It is safe for concurrent use and holds no
// connection between requests.
type Provider struct {
	options Options
	base    *url.URL
	client  *api.Client

	mu       sync.Mutex
	contexts map[string]int // num_ctx of each model's last request
}

// New returns the provider for a server, without asking it anything. It fails
// for a host that cannot be one.
func New(o Options) (*Provider, error) {
	host, from := o.Host, "host"
	if host == "" {
		host, from = os.Getenv("OLLAMA_HOST"), "OLLAMA_HOST"
	}
	base, err := parseHost(host)
	if err != nil {
		err = fmt.Errorf("%s %q: %w", from, host, err)
		return nil, advice.Add(err, "give host:port, for example 127.0.0.1:11434")
	}
	if o.Name == "" {
		o.Name = Name
	}
	o.FirstToken = wire.OrDefault(o.FirstToken, 5*time.Minute)
	o.Stall = wire.OrDefault(o.Stall, time.Minute)
	o.Total = wire.OrDefault(o.Total, 15*time.Minute)
	o.Answer = wire.OrDefault(o.Answer, 10*time.Second)
	o.PullStall = wire.OrDefault(o.PullStall, 10*time.Minute)
	o.MaxContext = wire.OrDefault(o.MaxContext, 32768)
	return &Provider{options: o, base: base, client: api.NewClient(base, wire.Client(o.HTTPClient, bounded)), contexts: map[string]int{}}, nil
}

// maxBody bounds what is read of an answer that comes at once, in bytes.
const maxBody = 32 << 20

// bounded is a transport that fails an answer, other than a stream, past
// maxBody, and notes when a busy server says to come back.
func bounded(next http.RoundTripper) http.RoundTripper {
	return wire.RoundTripper(func(r *http.Request) (*http.Response, error) {
		resp, err := next.RoundTrip(r)
		if err != nil {
			return resp, err
		}
		if after, ok := r.Context().Value(afterKey{}).(*time.Duration); ok {
			*after = wire.RetryAfter(resp.Header, time.Now())
		}
		if !strings.HasSuffix(r.URL.Path, "/api/chat") && !strings.HasSuffix(r.URL.Path, "/api/pull") {
			resp.Body = wire.Bounded(resp.Body, maxBody)
		}
		return resp, nil
	})
}

// afterKey is the context's key of a *time.Duration that takes Retry-After,
// because Ollama's client keeps headers to itself.
type afterKey struct{}

// Host returns the server's address, "127.0.0.1:11434".
func (p *Provider) Host() string { return p.base.Host }

// Models lists the models the server has, sorted by name.
func (p *Provider) Models(ctx context.Context) ([]llm.Info, error) {
	list, err := p.list(ctx)
	if err != nil {
		return nil, fmt.Errorf("list the models of %s: %w", p.Host(), err)
	}
	loaded := p.loaded(ctx)
	infos := make([]llm.Info, len(list))
	for i, m := range list {
		infos[i] = p.listed(m)
		infos[i].Loaded = loaded(m.Name)
	}
	slices.SortFunc(infos, func(a, b llm.Info) int { return strings.Compare(a.Name, b.Name) })
	return infos, nil
}

func (p *Provider) list(ctx context.Context) ([]api.ListModelResponse, error) {
	waiting, cancel := context.WithTimeout(ctx, p.options.Answer)
	defer cancel()
	got, err := p.client.List(waiting)
	if err != nil {
		return nil, p.explain(ctx, err)
	}
	return got.Models, nil
}

// loaded tells which models are in memory now; none where the server does not say.
func (p *Provider) loaded(ctx context.Context) func(name string) bool {
	waiting, cancel := context.WithTimeout(ctx, p.options.Answer)
	defer cancel()
	running, err := p.client.ListRunning(waiting)
	return func(name string) bool {
		return err == nil && slices.ContainsFunc(running.Models, func(m api.ProcessModelResponse) bool { return sameName(m.Name, name) })
	}
}

// Open returns the model of that name. It fails with llm.ErrUnknownModel, whose
// text names near ones.
func (p *Provider) Open(ctx context.Context, name string) (llm.Model, error) {
	waiting, cancel := context.WithTimeout(ctx, p.options.Answer)
	defer cancel()
	shown, err := p.client.Show(waiting, &api.ShowRequest{Model: name})
	if err != nil {
		return nil, p.unknown(ctx, name, p.explain(ctx, err))
	}
	info := p.shown(name, shown)
	list, err := p.list(ctx)
	if err != nil {
		return nil, fmt.Errorf("open model %q: %w", name, err)
	}
	for _, m := range list {
		if sameName(m.Name, name) {
			info.Size, info.Digest = m.Size, m.Digest
			info.Remote = info.Remote || p.listed(m).Remote
		}
	}
	info.Loaded = p.loaded(ctx)(name)
	if len(info.Capabilities) > 0 && !slices.Contains(info.Capabilities, llm.Completion) {
		err := fmt.Errorf("model %q cannot answer questions: it is for %s", name, strings.Join(info.Capabilities, ", "))
		return nil, advice.Add(err, "choose a model with the capability completion")
	}
	return &model{provider: p, info: info}, nil
}

// listed describes a model from /api/tags.
func (p *Provider) listed(m api.ListModelResponse) llm.Info {
	info := p.describe(m.Name, m.Details)
	info.Size, info.Digest = m.Size, m.Digest
	info.Remote = info.Remote || m.RemoteHost != "" || m.RemoteModel != ""
	for _, c := range m.Capabilities {
		info.Capabilities = append(info.Capabilities, c.String())
	}
	return info
}

// shown describes a model from /api/show.
func (p *Provider) shown(name string, s *api.ShowResponse) llm.Info {
	info := p.describe(name, s.Details)
	info.Remote = info.Remote || s.RemoteHost != "" || s.RemoteModel != ""
	info.Host = handedOn(s.RemoteHost, info)
	for _, c := range s.Capabilities {
		info.Capabilities = append(info.Capabilities, c.String())
	}
	for key, value := range s.ModelInfo {
		if n, ok := value.(float64); ok && strings.HasSuffix(key, ".context_length") && !strings.Contains(key, ".vision.") {
			info.Context = int(n)
		}
	}
	return info
}

func (p *Provider) describe(name string, d api.ModelDetails) llm.Info {
	return llm.Info{
		Provider: p.options.Name, Name: name, Family: d.Family, Parameters: d.ParameterSize,
		Quantisation: d.QuantizationLevel, Context: d.ContextLength,
		Remote: !wire.Loopback(p.base.Hostname()) || strings.HasSuffix(name, ":cloud") || strings.HasSuffix(name, "-cloud"),
	}
}

// handedOn is where the server hands prompts on to; empty when it answers itself.
func handedOn(remote string, info llm.Info) string {
	if u, err := url.Parse(remote); err == nil && u.Hostname() != "" {
		return u.Hostname()
	}
	if strings.HasSuffix(info.Name, ":cloud") || strings.HasSuffix(info.Name, "-cloud") {
		return "ollama.com"
	}
	return ""
}

// sameName compares model names; the tag latest may be left out.
func sameName(a, b string) bool {
	return strings.TrimSuffix(a, ":latest") == strings.TrimSuffix(b, ":latest")
}
