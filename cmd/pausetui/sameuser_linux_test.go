package main

import (
	"net"
	"testing"
)

func TestAConnectionOfThisUser(t *testing.T) {
	for _, addr := range []string{"127.0.0.1:0", "[::1]:0"} {
		l, err := net.Listen("tcp", addr)
		if err != nil {
			t.Log(err) // there is no IPv6 here
			continue
		}
		defer l.Close()
		theirs, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer theirs.Close()
		ours, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		defer ours.Close()
		if !sameUser(ours) {
			t.Errorf("%s: it is not known to be this user's", addr)
		}
	}
}
