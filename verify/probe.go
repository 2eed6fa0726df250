package verify

import (
	"context"
	"github.com/pausetui/pausetui/proof"
	"github.com/pausetui/pausetui/verify/sandbox"
)

type probed struct{}

func (a *attempt) probe(ctx context.Context, s site, r sandbox.Result) (proof.Check, error) {
	return inconclusive("it %s%s", ending(r), refused(r)), nil
}
