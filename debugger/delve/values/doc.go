// Package values evaluates expressions in frames, and reads the children of values, page
// by page: large maps by an index, and long lists by their memory when something is
// looked for in them.
//
// The index of a map's slots is made once for each stop. Plain elements are compared in
// bulk memory, in portions, so that reads for the screen come first.
package values
