//go:build !unix

package process

import "fmt"

// SignalName is "signal 9" for 9.
func SignalName(number int) string { return fmt.Sprintf("signal %d", number) }
