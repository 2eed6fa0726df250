// Package places finds locations as a person writes them, and functions, types and files
// by their names, and says in plain words why there is none.
package places
