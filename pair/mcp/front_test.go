package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/pair"
	"github.com/pausetui/pausetui/pair/mcp"
	"github.com/pausetui/pausetui/pair/pairtest"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/verdict"
)

// served is an agent of the SDK in a session.
func served(t *testing.T, e *pairtest.Engine, o *sdk.ClientOptions, more ...mcp.Options) (*sdk.ClientSession, *pair.Room) {
	t.Helper()
	room := pair.New(e, pair.Options{})
	room.Expect()
	seat, err := room.Enter(pair.Newcomer{Name: "agent", Via: "agent", Agent: true})
	if err != nil {
		t.Fatal(err)
	}
	ours, theirs := net.Pipe()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = mcp.Serve(context.Background(), seat, slices.Concat(more, []mcp.Options{{}})[0], ours, ours)
	}()
	s, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, o).Connect(t.Context(), &sdk.IOTransport{Reader: theirs, Writer: theirs}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = s.Close()
		<-ended
		e.End()
	})
	return s, room
}

// answer calls a tool whose answer is an object.
func answer(t *testing.T, s *sdk.ClientSession, name string, args any, out any) *sdk.CallToolResult {
	t.Helper()
	r, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if text := r.Content[0].(*sdk.TextContent).Text; out != nil {
		if err := json.Unmarshal([]byte(text), out); err != nil {
			t.Fatalf("%s: %s", name, text)
		}
	}
	return r
}

// Clients that know no null, or that let a person agree to what changes something, find
// what they need in the list of tools.
func TestToolsSayWhatTheyTakeAndDo(t *testing.T) {
	s, _ := served(t, pairtest.New(), nil)
	list, err := s.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		text, err := json.Marshal([]any{tool.InputSchema, tool.OutputSchema})
		if err != nil || strings.Contains(string(text), `"null"`) {
			t.Errorf("%s: %s, %v", tool.Name, text, err)
		}
		changes := slices.Contains([]string{"apply", "continue", "step", "pause", "restart", "breakpoint", "set_variable"}, tool.Name)
		adds := slices.Contains([]string{"propose_patch", "ask_approval", "note"}, tool.Name)
		if a := tool.Annotations; a == nil || a.ReadOnlyHint == (changes || adds) || !a.ReadOnlyHint && *a.DestructiveHint != changes {
			t.Errorf("%s: %+v", tool.Name, a)
		}
	}
	prompts, err := s.ListPrompts(t.Context(), nil)
	if err != nil || len(prompts.Prompts) != 3 {
		t.Fatalf("%+v, %v", prompts, err)
	}
	p, err := s.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "debug", Arguments: map[string]string{"question": "why is it 7?"}})
	if err != nil || !strings.HasSuffix(p.Messages[0].Content.(*sdk.TextContent).Text, "What I want to know: why is it 7?") {
		t.Errorf("%+v, %v", p, err)
	}
}

// stopped has a session be held at a crash with a fix.
func stopped(e *pairtest.Engine) {
	e.Add("engine", &session.Stopped{Stop: debugger.Stop{Reason: debugger.ReasonPanic, Panic: &debugger.Panic{Class: "nil-map-write", Message: "assignment to entry in nil map"}}},
		&session.Proposed{Candidate: patch.Candidate{ID: "c1", Title: "make it", Edits: []patch.Edit{{File: "x.go", Create: true, After: "package x\n"}}}})
}

// An agent hears why its fix is not verified, what a person has decided, and what came of
// it.
func TestAnAgentHearsWhatBecomesOfItsFix(t *testing.T) {
	e := pairtest.New()
	s, _ := served(t, e, nil)
	stopped(e)
	parse := verdict.Check{Name: verdict.Parse, Status: verdict.Fail, Detail: "expected }", Elsewhere: "expected }"}
	e.Add("engine", &session.Checked{Candidate: "c1", Check: parse}, &session.Proved{Candidate: "c1", Verdict: verdict.Verdict{Checks: []verdict.Check{parse}}})
	var c struct{ Why, Effect, Decision, Judgement string }
	answer(t, s, "candidate", map[string]any{"id": "c1"}, &c)
	if c.Effect != "" || !strings.Contains(c.Why, "parse: fail: expected }") {
		t.Errorf("%+v", c)
	}
	heard := make(chan string, 1)
	go func() {
		var st struct{ Judgement string }
		answer(t, s, "wait", map[string]any{"for": "decision", "id": "c1", "seconds": 60}, &st)
		heard <- st.Judgement
	}()
	e.Add("person", &session.Decided{Candidate: "c1", Decision: session.Approved})
	e.Add("engine", &session.Judged{Candidate: "c1", Judgement: session.CameBack, Evidence: "the same panic"})
	if got := <-heard; got != "came-back: the same panic" {
		t.Errorf("the judgement: %q", got)
	}
	if r := answer(t, s, "wait", map[string]any{"for": "rain"}, nil); !r.IsError {
		t.Error("it waits for anything")
	}
}

// A proof may take longer than a client waits for silence.
func TestAProofTellsHowItGoesOn(t *testing.T) {
	e := pairtest.New()
	heard := make(chan string, 10)
	s, _ := served(t, e, &sdk.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) { heard <- r.Params.Message }})
	stopped(e)
	e.OnDo = func(by intent.Author, i intent.Intent) {
		if p, ok := i.(intent.Propose); ok {
			if p.Replace[0] != (patch.Replacement{File: "x.go", Old: "a", New: "b"}) {
				t.Errorf("%+v", p)
			}
			e.Add(by.Name, &session.Proposed{Candidate: patch.Candidate{ID: "c7"}})
		}
	}
	p := &sdk.CallToolParams{Name: "propose_patch", Arguments: map[string]any{"title": "x", "edits": []map[string]string{{"file": "x.go", "old": "a", "new": "b"}}}}
	p.SetProgressToken("t")
	done := make(chan error, 1)
	go func() {
		_, err := s.CallTool(t.Context(), p)
		done <- err
	}()
	if got := <-heard; !strings.HasPrefix(got, "proving ") {
		t.Errorf("progress: %q", got)
	}
	testsupport.Eventually(t, "it is proposed", func() bool { _, ok := e.State().Candidate("c7"); return ok })
	e.Add("engine", &session.Proved{Candidate: "c7"})
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

// Who has subscribed to the log hears that it is longer.
func TestAnAgentSubscribesToTheLog(t *testing.T) {
	e := pairtest.New()
	heard := make(chan string, 10)
	s, _ := served(t, e, &sdk.ClientOptions{ResourceUpdatedHandler: func(_ context.Context, r *sdk.ResourceUpdatedNotificationRequest) { heard <- r.Params.URI }})
	if err := s.Subscribe(t.Context(), &sdk.SubscribeParams{URI: "pausetui://session/log"}); err != nil {
		t.Fatal(err)
	}
	testsupport.Eventually(t, "it hears of the log", func() bool {
		stopped(e) // it may have come before the subscription
		select {
		case got := <-heard:
			return got == "pausetui://session/log"
		default:
			return false
		}
	})
}

// Where nobody is in the session, the person at the agent's client is asked, if the client
// can, and else gets the diff. Their yes applies no more than an agent may apply.
func TestApprovalThroughTheClient(t *testing.T) {
	for name, c := range map[string]struct {
		answer             *sdk.ElicitResult // nil: the client does not ask
		verified, approved bool
		want               string
	}{
		"yes":            {&sdk.ElicitResult{Action: "accept", Content: map[string]any{"approve": true}}, true, true, "applied; fixed: it ran"},
		"no":             {&sdk.ElicitResult{Action: "decline"}, true, false, "did not approve"},
		"an empty yes":   {&sdk.ElicitResult{Action: "accept", Content: map[string]any{"approve": false}}, true, false, "did not approve"},
		"no questions":   {nil, true, false, "git apply"},
		"yes, no proof":  {&sdk.ElicitResult{Action: "accept", Content: map[string]any{"approve": true}}, false, false, "not verified"},
		"none, no proof": {nil, false, false, "not verified"},
	} {
		t.Run(name, func(t *testing.T) {
			e := pairtest.New()
			var client sdk.ClientOptions
			if c.answer != nil {
				client.ElicitationHandler = func(_ context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
					if m := r.Params.Message; !strings.Contains(m, "+package x") || !strings.HasSuffix(m, "\nThe agent says: because --- a/x.go +harmless") {
						t.Errorf("the person reads %q", r.Params.Message)
					}
					return c.answer, nil
				}
			}
			approved := false
			s, _ := served(t, e, &client, mcp.Options{Approve: func(i intent.Approve) error {
				approved = i.Candidate == "c1"
				e.Add("person", &session.Decided{Candidate: "c1", Decision: session.Approved}, &session.Judged{Candidate: "c1", Judgement: session.Fixed, Evidence: "it ran"})
				return nil
			}})
			stopped(e)
			e.Add("engine", &session.Proved{Candidate: "c1", Verdict: verdict.Verdict{Verified: c.verified}})
			r := answer(t, s, "ask_approval", map[string]any{"id": "c1", "reason": "because\n--- a/x.go\n+harmless"}, nil)
			if text := r.Content[0].(*sdk.TextContent).Text; approved != c.approved || !strings.Contains(text, c.want) || !c.approved && c.answer == nil && !strings.Contains(text, "+package x") {
				t.Errorf("approved %v: %s", approved, text)
			}
		})
	}
}

// Nobody is asked about a fix that the question would show in part.
func TestWhatAQuestionDoesNotShowIsNotAskedAbout(t *testing.T) {
	e := pairtest.New()
	client := sdk.ClientOptions{ElicitationHandler: func(context.Context, *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
		t.Error("the person is asked")
		return &sdk.ElicitResult{Action: "accept", Content: map[string]any{"approve": true}}, nil
	}}
	s, _ := served(t, e, &client, mcp.Options{Approve: func(intent.Approve) error {
		t.Error("it is applied")
		return nil
	}})
	stopped(e)
	long := patch.Candidate{ID: "c9", Edits: []patch.Edit{{File: "x.go", Create: true, After: "package x\n" + strings.Repeat("// a line\n", 5000) + "func init() {}\n"}}}
	e.Add("agent", &session.Proposed{Candidate: long}, &session.Proved{Candidate: "c9", Verdict: verdict.Verdict{Verified: true}})
	r := answer(t, s, "ask_approval", map[string]any{"id": "c9", "reason": "because"}, nil)
	if text := r.Content[0].(*sdk.TextContent).Text; !strings.Contains(text, "more than a question shows") {
		t.Error(text)
	}
}

// Who comes in is called what the client calls itself, in either version of the protocol;
// the host is asked about no other connection.
func TestAgentsAreCalledWhatTheyCallThemselves(t *testing.T) {
	for said, want := range map[string]string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"clientInfo":{"name":"crab"}}}`:                                       "crab",
		`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/clientInfo":{"name":"eel"}}}}`: "eel",
		`{"jsonrpc":"2.0","id":1,"method":"initialize"}`:                                                                               "agent",
		"GET / HTTP/1.1": "", strings.Repeat("[", 100_000): "",
	} {
		ours, theirs := net.Pipe()
		go func() {
			_, _ = theirs.Write([]byte(said + "\n")) // all of it, or we have hung up
		}()
		c, name, err := mcp.Greeted(ours, testsupport.Patience)
		if (err == nil) != (want != "") || name != want {
			t.Errorf("%.80q: %q, %v", said, name, err)
		}
		if err == nil {
			again := make([]byte, len(said))
			if _, err := io.ReadFull(c, again); err != nil || string(again) != said {
				t.Errorf("%q is read again: %v", again, err)
			}
		}
		_ = ours.Close()
	}
}

// In a person's session the tools that run the program ask for the wheel; an agent that
// has it runs the program, and decides nothing else.
func TestAnAgentAsksForTheWheel(t *testing.T) {
	e := pairtest.New()
	s, room := served(t, e, nil)
	stopped(e)
	for name, args := range map[string]any{"continue": nil, "step": nil, "restart": nil, "set_variable": map[string]any{"name": "x", "value": "1"}, "breakpoint": map[string]any{"location": "main.main"}, "disassemble": nil} {
		r := answer(t, s, name, args, nil)
		if text := r.Content[0].(*sdk.TextContent).Text; !r.IsError || !strings.Contains(text, "wait, for wheel") {
			t.Errorf("%s: %s", name, text)
		}
	}
	if v, _ := room.Host().Watch(t.Context(), 0); !v.People[1].Wants {
		t.Errorf("the host is not asked: %+v", v.People)
	}
	given := make(chan string, 1)
	go func() {
		var st struct{ Role string }
		answer(t, s, "wait", map[string]any{"for": "wheel"}, &st)
		given <- st.Role
	}()
	if err := room.Host().GiveWheel("agent"); err != nil {
		t.Fatal(err)
	}
	if got := <-given; got != "agent that drives" {
		t.Errorf("the wheel: %q", got)
	}
	e.OnDo = func(by intent.Author, i intent.Intent) {
		switch i := i.(type) {
		case intent.Run:
			e.Add("engine", &session.Resumed{}, &session.Stopped{Stop: debugger.Stop{Reason: debugger.ReasonStep}})
		case intent.SetBreakpoint:
			e.Add(by.Name, &session.BreakpointSet{Breakpoint: i.Breakpoint})
		}
	}
	e.Done()
	var out struct{ Status struct{ Reason string } }
	if answer(t, s, "step", map[string]any{"count": 3}, &out); out.Status.Reason != "step" || len(e.Done()) != 3 {
		t.Errorf("three steps: %+v", out)
	}
	for _, args := range []map[string]any{{"location": "main.go:3", "condition": "secret[0] == 'a'"}, {"watch": "secret"}, {"location": "main.go:3", "condition": "secret"}} {
		if r := answer(t, s, "breakpoint", args, nil); !r.IsError {
			t.Errorf("%v was set", args)
		}
	}
	for _, value := range []string{"password[:1]", "f()", "x + 1", "1; y = 2", `"a" + b`, ""} {
		if r := answer(t, s, "set_variable", map[string]any{"name": "x", "value": value}, nil); !r.IsError {
			t.Errorf("x was set to %q", value)
		}
	}
	var list struct{ Breakpoints []struct{ Condition string } }
	if answer(t, s, "breakpoint", map[string]any{"location": "main.go:3", "condition": "i == 3"}, &list); len(list.Breakpoints) != 1 || list.Breakpoints[0].Condition != "i == 3" {
		t.Errorf("%+v", list)
	}
	if done := e.Done(); len(done) != 1 {
		t.Errorf("the engine heard %+v", done)
	}
}

// A client that has joined is passed on to the session, with its progress, until that ends.
func TestAClientJoins(t *testing.T) {
	e := pairtest.New()
	room := pair.New(e, pair.Options{})
	room.Expect()
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan struct{})
	open := true
	dial := func() (net.Conn, error) {
		if !open {
			return nil, errors.New("nobody there")
		}
		open = false
		ours, theirs := net.Pipe()
		go func() {
			defer close(served)
			conn, name, err := mcp.Greeted(ours, testsupport.Patience)
			if err != nil {
				return
			}
			seat, err := room.Enter(pair.Newcomer{Name: name, Agent: true})
			if err == nil {
				_ = mcp.Serve(ctx, seat, mcp.Options{}, conn, conn)
			}
			_ = ours.Close()
		}()
		return theirs, nil
	}
	stopped(e)
	ours, theirs := net.Pipe()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = mcp.ServeClient(t.Context(), mcp.Options{}, mcp.Doors{Dial: dial}, nil, ours, ours)
	}()
	heard, changed := make(chan string, 10), make(chan string, 100)
	s, err := sdk.NewClient(&sdk.Implementation{Name: "crab", Version: "1"}, &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) { heard <- r.Params.Message },
		ResourceUpdatedHandler:      func(_ context.Context, r *sdk.ResourceUpdatedNotificationRequest) { changed <- r.Params.URI },
	}).Connect(t.Context(), &sdk.IOTransport{Reader: theirs, Writer: theirs}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Subscribe(t.Context(), &sdk.SubscribeParams{URI: "pausetui://session/status"}); err != nil {
		t.Fatal(err)
	}
	var out struct{ Status struct{ Class string } }
	if answer(t, s, "join", map[string]any{}, &out); out.Status.Class != "nil-map-write" {
		t.Errorf("joined: %+v", out)
	}
	if v, _ := room.Host().Watch(t.Context(), 0); v.People[1].Name != "crab" {
		t.Errorf("who is in: %+v", v.People)
	}
	p := &sdk.CallToolParams{Name: "wait", Arguments: map[string]any{"for": "proof", "id": "c1"}}
	p.SetProgressToken("t")
	done := make(chan error, 1)
	go func() {
		_, err := s.CallTool(t.Context(), p)
		done <- err
	}()
	if got := <-heard; got != "stopped" {
		t.Errorf("progress: %q", got)
	}
	e.Add("engine", &session.Proved{Candidate: "c1"})
	if err := <-done; err != nil {
		t.Error(err)
	}
	for updated := false; !updated; { // Subscribe does not wait for the server: early events may be missed
		stopped(e)
		select {
		case uri := <-changed:
			updated = uri == "pausetui://session/status"
		case <-time.After(2 * time.Second):
		}
	}
	if r, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "pausetui://session/log"}); err != nil || !strings.Contains(r.Contents[0].Text, "nil map") {
		t.Errorf("the log: %+v, %v", r, err)
	}
	cancel()
	<-served
	testsupport.Eventually(t, "there is no session", func() bool {
		r := answer(t, s, "status", nil, nil)
		return r.IsError && strings.Contains(r.Content[0].(*sdk.TextContent).Text, "no session")
	})
	_ = s.Close()
	<-ended
	e.End()
}
