package web

import (
	"fmt"
	"strings"

	"github.com/pausetui/pausetui/session"
)

// eventView is a row of the timeline; one without words is not shown. Changes
// tells a page that follows the session to read the rest of it again.
type eventView struct {
	Seq     uint64 `json:"seq"`
	Time    string `json:"time"`
	Kind    string `json:"kind"`
	Actor   string `json:"actor"`
	Words   string `json:"words"`
	Tone    string `json:"tone"`
	Changes bool   `json:"changes"`
}

func viewEvent(e session.Event) eventView {
	v := eventView{Seq: e.Seq, Time: e.At.Format("15:04:05.000"), Kind: line(e.Body.Kind())}
	if e.Actor != session.EngineActor {
		v.Actor = line(e.Actor)
	}
	tone, words := describe(e.Body)
	v.Tone, v.Words = tone, line(words)
	if runes := []rune(v.Words); len(runes) > 600 {
		v.Words = string(runes[:600]) + "…"
	}
	switch e.Body.(type) {
	case *session.Launched, *session.Resumed, *session.Stopped, *session.Diagnosed, *session.Proposed, *session.Checked, *session.Proved, *session.Decided,
		*session.Applied, *session.Undone, *session.Judged, *session.Replied, *session.Seen, *session.Ended:
		v.Changes = true
	}
	return v
}

// describe says what an event is; nothing for one that is not worth a row.
func describe(body session.Body) (tone, words string) {
	switch b := body.(type) {
	case *session.Started:
		return "", "session of " + b.Target() + " " + strings.Join(b.Args, " ")
	case *session.BuildFinished:
		return "quiet", "built in " + duration(b.Took)
	case *session.BuildFailed:
		return "bad", "build failed: " + b.Message
	case *session.LaunchFailed:
		return "bad", "could not be launched: " + b.Message
	case *session.Launched:
		return "quiet", b.Note()
	case *session.Resumed:
		return "quiet", string(b.Motion) + " " + b.Words
	case *session.Stopped:
		if b.Stop.Crashed() {
			return "bad", b.Stop.Panic.Class.Words() + ": " + b.Stop.Panic.Message
		}
		return "", stopTitle(b.Stop)
	case *session.Diagnosed:
		return "", b.Diagnosis.Words()
	case *session.Evaluated:
		return "quiet", "> " + b.Input
	case *session.TracepointHit:
		return "quiet", session.TraceLine(b.Hit)
	case *session.Jumped:
		return "", "jumped from " + b.From
	case *session.Muted:
		return "quiet", "muted: " + session.SiteWords(b.Site)
	case *session.ReproStarted:
		return "quiet", "repro: " + b.Command
	case *session.ReproEnded:
		return "quiet", session.ReplyWords(*b)
	case *session.HookRan:
		return "quiet", b.Words()
	case *session.Notice:
		return map[string]string{"warn": "warn", "error": "bad"}[b.Level], b.Text
	case *session.Reopened:
		return "", "session resumed"
	case *session.Ended:
		return "", strings.TrimSpace("session ended: " + b.Outcome + " " + b.Error)
	}
	return describeFix(body)
}

// describeFix says what was done about a fix.
func describeFix(body session.Body) (tone, words string) {
	switch b := body.(type) {
	case *session.Asked:
		return "quiet", "asked " + sourceName(b.Source) + " for fixes"
	case *session.Answered:
		if b.Err != "" {
			return "warn", "no use: " + b.Err
		}
		return "quiet", b.Words() + " in " + duration(b.Took)
	case *session.Probed:
		return "quiet", "the model " + b.Words()
	case *session.Questioned:
		return "", "question " + b.Question + ": " + b.Text
	case *session.Replied:
		return "quiet", "answered " + b.Question + " " + b.Err
	case *session.Proposed:
		return "", session.Called(b.Candidate.ID) + ": " + b.Candidate.Title
	case *session.Agreed:
		return "quiet", sourceName(b.Source) + " proposed the same change as " + session.Called(b.Candidate)
	case *session.Checked:
		return "quiet", fmt.Sprintf("%s: %s %s %s", session.Called(b.Candidate), b.Check.Name, session.Sign(b.Check.Status), b.Check.Detail)
	case *session.Proved:
		tone = "warn"
		if b.Verdict.Verified && !b.Verdict.Masking {
			tone = "good"
		}
		return tone, session.Called(b.Candidate) + ": " + b.Verdict.Label()
	case *session.Decided:
		return "", strings.TrimSpace(string(b.Decision) + " " + session.Called(b.Candidate) + " " + b.Reason)
	case *session.Allowed:
		return "warn", "allowed for the proofs: " + b.What
	case *session.Applied:
		return "good", "applied " + session.Called(b.Candidate)
	case *session.Undone:
		return "", "undone " + session.Called(b.Candidate) + " " + b.Reason
	case *session.ApplyFailed:
		return "bad", "could not write " + session.Called(b.Candidate) + ": " + b.Err
	case *session.Committed:
		return "good", fmt.Sprintf("committed %.12s: %s", b.Hash, b.Subject)
	case *session.Judged:
		return judgedTone(string(b.Judgement)), fmt.Sprintf("judged %s: %s", b.Judgement, b.Evidence)
	}
	return "", ""
}
