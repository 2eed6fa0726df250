// Package background runs background work at a lower priority than the user at the
// keyboard: sessions of processes by their share of the processors, work of this process
// by waiting for a calm moment. Nothing may depend on it for being right: where a system
// has no such means, it does nothing. It must not know what the work is.
package background
