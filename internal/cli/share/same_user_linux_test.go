package share

import (
	"net"
	"net/netip"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// accepted is this end of a connection that dial makes.
func accepted(t *testing.T, network, addr string, dial func(net.Addr) error) net.Conn {
	t.Helper()
	l, err := net.Listen(network, addr)
	if err != nil {
		t.Skip(err) // there is no IPv6 here
	}
	t.Cleanup(func() { _ = l.Close() })
	if err := dial(l.Addr()); err != nil {
		t.Fatal(err)
	}
	ours, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ours.Close() })
	return ours
}

func TestAConnectionOfThisUser(t *testing.T) {
	stays := func(t *testing.T) func(net.Addr) error {
		return func(a net.Addr) error {
			c, err := net.Dial(a.Network(), a.String())
			if err == nil {
				t.Cleanup(func() { _ = c.Close() })
			}
			return err
		}
	}
	for _, to := range [][2]string{{"tcp", "127.0.0.1:0"}, {"tcp", "[::1]:0"}, {"unix", filepath.Join(t.TempDir(), "s")}} {
		t.Run(to[0]+to[1], func(t *testing.T) {
			if ours := accepted(t, to[0], to[1], stays(t)); !SameUser(ours) || !SameUser(&patientConn{Conn: ours}) {
				t.Error("it is not known to be this user's")
			}
		})
	}
	t.Run("a socket of IPv6 to an address of IPv4", func(t *testing.T) { // as Java has them
		ours := accepted(t, "tcp", "127.0.0.1:0", func(a net.Addr) error {
			fd, err := unix.Socket(unix.AF_INET6, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
			if err != nil {
				t.Skip(err)
			}
			t.Cleanup(func() { _ = unix.Close(fd) })
			to := addrPort(a)
			return unix.Connect(fd, &unix.SockaddrInet6{Port: int(to.Port()), Addr: to.Addr().As16()})
		})
		if !SameUser(ours) {
			t.Error("it is not known to be this user's")
		}
	})
	t.Run("without a process at the other end", func(t *testing.T) { // which the table says is root's
		ours := accepted(t, "tcp", "127.0.0.1:0", func(a net.Addr) error {
			c, err := net.Dial(a.Network(), a.String())
			if err != nil {
				return err
			}
			return c.Close()
		})
		if SameUser(ours) {
			t.Error("it is taken for this user's")
		}
	})
}

// Linux gives one port to connections of several users, if they lead to different places.
func TestTheOwnerOfAConnection(t *testing.T) {
	const head = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
	line := func(local, remote, state, uid string) string {
		return "   5: " + local + " " + remote + " " + state + " 00000000:00000000 00:00000000 00000000 " + uid + "        0 240157 1 0 20 0 0 10 -1\n"
	}
	const from, to, other = "0100007F:CCBA", "0100007F:B7C1", "0100007F:A629"
	const from6, to6 = "0000000000000000FFFF00000100007F:CCBA", "0000000000000000FFFF00000100007F:B7C1"
	for name, c := range map[string]struct {
		table string
		want  int
	}{
		"it":                            {line(from, to, "01", "1000"), 1000},
		"the other end":                 {line(to, from, "01", "1000"), -1},
		"another connection first":      {line(from, other, "01", "1000") + line(from, to, "01", "1001"), 1001},
		"another connection only":       {line(from, other, "01", "1000"), -1},
		"a server at the port":          {line(from, "00000000:0000", "0A", "1000") + line(from, to, "01", "1001"), 1001},
		"closed":                        {line(from, to, "05", "0"), -1},
		"closed, and again":             {line(from, to, "06", "0") + line(from, to, "01", "1001"), 1001},
		"in the table of IPv6":          {line(from6, to6, "01", "1000"), 1000},
		"another one of IPv6 and of it": {line(from6, "0000000000000000FFFF00000100007F:A629", "01", "1000"), -1},
		"cut off":                       {"   5: " + from + " " + to + " 01\n", -1},
		"nothing":                       {"", -1},
	} {
		if got := ownerIn(head+c.table, netip.MustParseAddrPort("127.0.0.1:52410"), netip.MustParseAddrPort("127.0.0.1:47041")); got != c.want {
			t.Errorf("%s: it is user %d's, want %d", name, got, c.want)
		}
	}
}
