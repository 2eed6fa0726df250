package verify

import (
	"context"
	"github.com/pausetui/pausetui/proof"
)

func (a *attempt) masking(context.Context) (proof.Check, error) { return pass(""), nil }
