// Package paths translates the source paths of a target that was built elsewhere to those
// of this machine, and back, in requests to Delve and in its answers.
package paths
