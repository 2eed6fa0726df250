// Package paths maps the source paths of a target that was built elsewhere to those of
// this machine, and back, also in what is asked of Delve and what it answers.
package paths
