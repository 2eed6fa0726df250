package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/session/index"
)

// pastSessions lists past sessions of a directory of logs for an agent.
func pastSessions(logs string) func(context.Context, string, int) ([]string, error) {
	return func(ctx context.Context, text string, limit int) (list []string, err error) {
		x, err := index.Open(ctx, index.Path(), logs)
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, x.Close()) }()
		if _, err := x.Refresh(ctx, nil); err != nil {
			return nil, err
		}
		q, err := index.ParseQuery(text, time.Now())
		if err != nil {
			return nil, err
		}
		found, _, err := x.Search(ctx, q, limit, 0)
		for _, s := range found {
			list = append(list, pastLine(s))
		}
		return list, err
	}
}

// pastLine is a past session in one line.
func pastLine(s index.Session) string {
	place := fmt.Sprintf("%s, %s:%d", s.Function, s.File, s.Line)
	if s.Class == "" {
		place = "no crash"
	}
	line := fmt.Sprintf("%s  %s  %s: %s (%s)  %s", s.Name, s.Target, cmp.Or(s.Class, "-"), s.Message, place, s.Outcome)
	if len(s.Applied) > 0 {
		line += ", applied " + session.AppliedWords(s.Applied, s.Judged)
	}
	return line
}
