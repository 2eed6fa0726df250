package hooks

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/internal/reexec"
)

func TestMain(m *testing.M) {
	reexec.Main()
	os.Exit(m.Run())
}

// do runs commands at a point.
func do(t *testing.T, e Event, limit time.Duration, lines ...string) (Decision, []Run) {
	t.Helper()
	var set Set
	for _, line := range lines {
		set = append(set, Hook{Point: e.Hook, Name: line, Handler: Command{Line: line, Dir: t.TempDir()}, Timeout: limit})
	}
	var runs []Run
	return set.Do(context.Background(), e, func(r Run) { runs = append(runs, r) }), runs
}

func TestACommandDecides(t *testing.T) {
	d, runs := do(t, Event{Hook: BeforeLookup, Lookup: &Lookup{Tool: "eval", Arguments: map[string]any{"expr": "password"}}}, 0,
		`cat >seen; echo looked >&2; echo '{"arguments":{"expr":"n"}}'`,
		`grep -q '"expr":"n"' && echo '{"refuse":"no n"}'`,
		`echo '{"refuse":"never reached"}'`)
	if d.Refuse != "no n" || len(runs) != 2 || d.Arguments["expr"] != "n" || runs[0].Output != "looked\n" {
		t.Errorf("%+v of %+v", d, runs)
	}
}

func TestFailuresDecideNothingButForAGuardrail(t *testing.T) {
	for line, want := range map[string]string{
		"exit 3": "exit code 3", "echo what": "no decision", "yes | head -c 3000000": "more than",
		`echo '{"refused":"x"}'`: "unknown field", "sleep 100 & sleep 100": "too long"} {
		d, runs := do(t, Event{Hook: BeforeAsk}, 2*time.Second, line)
		if d.Refuse != "" || len(runs) != 1 || runs[0].Err == nil || !strings.Contains(runs[0].Err.Error(), want) {
			t.Errorf("%s: %+v, %+v", line, d, runs)
		}
		if runs[0].Took > 20*time.Second {
			t.Errorf("%s took %s", line, runs[0].Took)
		}
	}
	if d, _ := do(t, Event{Hook: BeforeApply}, 0, "exit 3"); !strings.Contains(d.Refuse, "exit code 3") {
		t.Errorf("a guardrail that failed let it pass: %+v", d)
	}
}

func TestHandlersOfAProgram(t *testing.T) {
	hang := Func(func(context.Context, Event) (Decision, error) { select {} })
	panics := Func(func(context.Context, Event) (Decision, error) { panic("boom") })
	adds := Func(func(context.Context, Event) (Decision, error) {
		return Decision{Add: []Section{{Title: "Rules", Text: "Use errors."}}}, nil
	})
	var runs []Run
	set := Set{{Point: BeforeAsk, Handler: hang, Timeout: time.Millisecond}, {Point: BeforeAsk, Handler: panics}, {Point: OnEnd, Handler: hang}, {Point: BeforeAsk, Handler: adds}}
	d := set.Do(context.Background(), Event{Hook: BeforeAsk}, func(r Run) { runs = append(runs, r) })
	if len(runs) != 3 || !errors.Is(runs[0].Err, ErrTimeout) || !strings.Contains(runs[1].Err.Error(), "boom") || len(d.Add) != 1 {
		t.Errorf("%+v, %+v", d, runs)
	}
	if !set.At(OnEnd) || set.At(OnStop) {
		t.Error("the wrong points have hooks")
	}
}

// TestEveryDecisionCounts: a guardrail that prints one for each file refuses by any.
func TestEveryDecisionCounts(t *testing.T) {
	for line, want := range map[string]string{
		`echo '{}'; echo '{"refuse":"no"}'`:             "no",
		`echo '{"add":[]}{"refuse":"a"}{"refuse":"b"}'`: "a",
		`echo '{}'; echo 'cannot check this'`:           "the hook failed",
		`echo '{}'; echo '{"refuse":"not whole'`:        "the hook failed",
		`echo; echo '{}'; echo`:                         "",
	} {
		hook := Hook{Point: BeforeApply, Name: line, Handler: Command{Line: line}}
		got := Set{hook}.Do(t.Context(), Event{Hook: BeforeApply}, func(Run) {})
		if want == "" && got.Refuse != "" || !strings.Contains(got.Refuse, want) {
			t.Errorf("%s: refused %q, want %q", line, got.Refuse, want)
		}
	}
}
