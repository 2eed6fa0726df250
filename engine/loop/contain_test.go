package loop

import (
	"context"
	"errors"
	"strings"
	"testing"
)

func TestAFaultOfOursEndsTheAnalysisOnly(t *testing.T) {
	var none map[string]int
	err := Contain(func() error { none["x"] = 1; return nil })
	if !errors.Is(err, ErrInternal) || !strings.Contains(err.Error(), "nil map") || !strings.Contains(err.Error(), "contain_test.go:") {
		t.Errorf("err = %v", err)
	}
	if err := Contain(func() error { return nil }); err != nil {
		t.Error(err)
	}
}

func TestAnAnalysisThatDoesNotEndIsLeftAlone(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	end := make(chan bool)
	defer close(end)
	if _, err := InTime(ctx, func() (int, error) { <-end; return 0, nil }); !errors.Is(err, ErrInternal) {
		t.Errorf("err = %v", err)
	}
	if n, err := InTime(t.Context(), func() (int, error) { return 3, nil }); n != 3 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
}
