// Package corefile checks core dumps and their programs before Delve opens them: whether
// they belong together, how large they are, and which memory of mapped files a dump
// lacks.
package corefile
