//go:build !(linux || darwin || freebsd || netbsd)

package patch

import "os"

// copyAttrs does nothing where there are no extended attributes.
func copyAttrs(*os.File, string) {}
