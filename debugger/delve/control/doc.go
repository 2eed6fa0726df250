// Package control controls the access to a target's Delve server: who may use the
// connection when, in which state the target is, and what halts it. One operation at a
// time goes to the server, but for halts.
package control
