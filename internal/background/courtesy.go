// Package background has what goes on in the background give way to the person at
// the keyboard: sessions of processes by their share of the processors, work of
// this process by waiting for a calm moment.
package background
