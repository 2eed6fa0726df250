// Package background gives what goes on in the background a lower priority than
// the user at the keyboard: sessions of processes by their share of the
// processors, work of this process by waiting for a calm moment.
package background
