// Package process reads what the system knows of processes: what runs in one, whether it
// can be debugged, which signals wait for it, the clock and the sockets that two of them
// share.
package process
