//go:build !linux || !amd64

package delve

func (iterator) leaveHandler() bool { return false }
