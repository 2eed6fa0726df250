//go:build !linux || !amd64

package serve

import (
	"github.com/go-delve/delve/pkg/dwarf/op"
	"github.com/go-delve/delve/pkg/proc"
)

func (iterator) leaveHandler() bool { return false }

func (iterator) bySignal() bool { return false }

func (iterator) unwindAgain(*proc.BinaryInfo, *op.DwarfRegisters) {}
