package session

import "github.com/pausetui/pausetui/verify/verdict"

// Failed names why an iteration gave nothing that can be applied: a question that
// was asked, or a candidate that was proved. The names are the same in the
// journal, the log, the JSON of fix and the statistics.
type Failed string

// The kinds of failed iterations; the empty one has not failed.
const (
	FailedUnusable Failed = "unusable" // the answer could not be used, even when asked for again
	FailedGaveUp   Failed = "gave-up"  // the model said that it finds no fix
	FailedProvider Failed = "provider" // the model could not be reached, or broke off
	FailedBuild    Failed = "no-build" // the candidate does not parse, build or stay in scope
	FailedCrash    Failed = "crash"    // its rerun stops again, or elsewhere
	FailedTests    Failed = "tests"    // a test that passed fails
	FailedCheck    Failed = "check"    // another check fails
	FailedRefused  Failed = "refused"  // a person, a hook or a missing consent refused it
	FailedAborted  Failed = "aborted"  // it was canceled, or the program went on
	FailedLimit    Failed = "limit"    // a limit was reached
)

// Limit names a limit of a session.
type Limit string

// The limits that end something, as the configuration names them.
const (
	LimitRounds     Limit = "max_rounds"
	LimitCandidates Limit = "max_candidates"
	LimitAsking     Limit = "asking"
	LimitTokens     Limit = "tokens"
	LimitCost       Limit = "cost"
	LimitTime       Limit = "time"
)

// Failed says why the candidate failed; empty where it did not, or where that is not known
// yet.
func (c CandidateRecord) Failed() Failed {
	if c.Decision == Rejected {
		return FailedRefused
	}
	if c.Verdict == nil {
		return ""
	}
	for _, k := range c.Verdict.Checks {
		if k.Status != verdict.Fail {
			continue
		}
		switch k.Name {
		case verdict.Scope, verdict.Parse, verdict.Build:
			return FailedBuild
		case verdict.Rerun:
			return FailedCrash
		case verdict.Tests:
			return FailedTests
		}
		return FailedCheck
	}
	return ""
}
