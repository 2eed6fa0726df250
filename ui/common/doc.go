// Package common holds what the parts of the screen share: what they are given, what is
// shown, where it is, and who gets the next key. It must not know the parts.
package common
