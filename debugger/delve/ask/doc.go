// Package ask has the requests to Delve that several packages make: states, frames,
// values, locations, code. It also sees the variables around the body of a loop over a
// function, and which frames wait for stack or have captured variables that they have not
// loaded yet. Who calls it holds the queue.
package ask
