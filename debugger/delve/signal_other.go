//go:build !unix

package delve

import "fmt"

func signalName(number int) string { return fmt.Sprintf("signal %d", number) }
