// Package parity compares the command line with dlv's. Its tests take dlv's commands and
// options from its module and look for each in docs/dlv-parity.md, and run what prints
// something in both, on the same stop of the same server.
package parity
