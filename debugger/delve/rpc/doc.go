// Package rpc connects to a Delve server: the handshake that says what to debug, the
// client that sends requests and waits for their answers, the codec that reads them, and
// the kinds of Delve's errors, which come as text.
package rpc
