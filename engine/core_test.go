package engine

import (
	"errors"
	"strings"
	"testing"
)

func TestAFaultOfOursEndsTheAnalysisOnly(t *testing.T) {
	var none map[string]int
	err := contained(func() error { none["x"] = 1; return nil })
	if !errors.Is(err, ErrInternal) || !strings.Contains(err.Error(), "nil map") || !strings.Contains(err.Error(), "core_test.go:") {
		t.Errorf("err = %v", err)
	}
	if err := contained(func() error { return nil }); err != nil {
		t.Error(err)
	}
}
