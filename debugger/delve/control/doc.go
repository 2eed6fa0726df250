// Package control is a target's Delve server as its client sees it: who may use the
// connection when, in which state the target is, and what halts it. One operation at a
// time goes to the server, but for halts.
package control
