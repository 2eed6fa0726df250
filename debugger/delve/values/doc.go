// Package values evaluates expressions in frames, and reads the children of values, page
// by page: large maps by an index, and long lists by their memory when something is
// looked for in them.
package values
