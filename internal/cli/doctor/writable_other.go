//go:build !unix

package doctor

func writable(string) error { return nil }
