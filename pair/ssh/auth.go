package ssh

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/subtle"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/google/renameio/v2"
	"golang.org/x/crypto/ssh"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/pair"
)

// hostKey reads the key of this machine's sessions, or makes one.
func hostKey(path string) (ssh.Signer, error) {
	text, err := regular.ReadUpTo(path, 64<<10)
	if errors.Is(err, fs.ErrNotExist) {
		text, err = makeHostKey(path)
	}
	if err != nil {
		return nil, fmt.Errorf("host key: %w", err)
	}
	signer, err := ssh.ParsePrivateKey(text)
	if err != nil {
		return nil, advice.Add(fmt.Errorf("host key %q: %w", path, err), "remove the file: a new one is made, and colleagues are warned once")
	}
	return signer, nil
}

func makeHostKey(path string) ([]byte, error) {
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	block, err := ssh.MarshalPrivateKey(private, "pausetui")
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	text := pem.EncodeToMemory(block)
	return text, renameio.WriteFile(path, text, 0o600)
}

// readKeys reads a file in the format of authorized_keys; options in it are ignored.
func readKeys(path string) (map[string]bool, error) {
	text, err := regular.ReadUpTo(path, 1<<20)
	if err != nil {
		return nil, fmt.Errorf("--share-keys: %w", err)
	}
	keys := map[string]bool{}
	for n, line := range strings.Split(string(text), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		key, _, _, _, err := ssh.ParseAuthorizedKey([]byte(line))
		if err != nil {
			return nil, fmt.Errorf("--share-keys %q, line %d: %w", path, n+1, err)
		}
		keys[string(key.Marshal())] = true
	}
	if len(keys) == 0 {
		return nil, fmt.Errorf("--share-keys %q: there is no key in it", path)
	}
	return keys, nil
}

// visitor is a connection that has still to prove who it is.
type visitor struct {
	server    *Server
	conn      net.Conn
	handshake *entry
	begins    sync.Once // to log in
	tries     int       // of a code, so far
	looks     bool      // came with the code to look on
}

// errDenied is all that a client learns.
var errDenied = errors.New("permission denied")

// provedKey is where the fingerprint of a key that was proved is kept.
const provedKey = "fingerprint"

func (v *visitor) config() *ssh.ServerConfig {
	c := &ssh.ServerConfig{MaxAuthTries: maxAuthTries, ServerVersion: "SSH-2.0-pausetui"}
	c.AddHostKey(v.server.signer)
	c.PublicKeyCallback = v.publicKey
	c.AuthLogCallback = func(ssh.ConnMetadata, string, error) { // of no method, at first
		v.handshake.reach(logsIn)
		v.begins.Do(func() { _ = v.conn.SetDeadline(time.Now().Add(v.server.opts.Limits.Start)) })
	}
	if v.server.invitations != nil {
		c.KeyboardInteractiveCallback = func(_ ssh.ConnMetadata, ask ssh.KeyboardInteractiveChallenge) (*ssh.Permissions, error) {
			return v.code(ask, "")
		}
	}
	return c
}

// publicKey is called for each key that a client offers. Without a file of
// keys, a key says who somebody is, and the invitation lets them in: a client
// that has none comes in with the invitation alone.
func (v *visitor) publicKey(_ ssh.ConnMetadata, key ssh.PublicKey) (*ssh.Permissions, error) {
	fingerprint := ssh.FingerprintSHA256(key)
	proved := &ssh.Permissions{Extensions: map[string]string{provedKey: fingerprint}}
	if v.server.invitations != nil {
		if v.server.opts.Room.Knows(fingerprint) {
			v.handshake.reach(offersKey)
			return proved, nil // was admitted in this session: a lost line comes back
		}
		return nil, &ssh.PartialSuccessError{Next: ssh.ServerAuthCallbacks{
			KeyboardInteractiveCallback: func(_ ssh.ConnMetadata, ask ssh.KeyboardInteractiveChallenge) (*ssh.Permissions, error) {
				return v.code(ask, fingerprint)
			},
		}}
	}
	keys, err := readKeys(v.server.opts.Keys) // as it is now
	if err != nil || !keys[string(key.Marshal())] {
		return nil, errDenied
	}
	v.handshake.reach(offersKey)
	return proved, nil
}

// code asks for the invitation.
func (v *visitor) code(ask ssh.KeyboardInteractiveChallenge, fingerprint string) (*ssh.Permissions, error) {
	why := ""
	if v.tries++; v.tries > 1 {
		why = "That code is wrong or was already used."
	}
	if now, _, expires := v.server.invitations.current(); now == "" || time.Now().After(expires) {
		why = "The invitation is no longer valid: ask the host for a new one."
	}
	answers, err := ask("", why, []string{"Invitation code: "}, []bool{true})
	if err != nil || len(answers) != 1 {
		return nil, errDenied
	}
	right, looks, changed := v.server.invitations.use(answers[0])
	if changed {
		v.server.tell() // with the next code, or none
	}
	if !right {
		return nil, errDenied
	}
	v.looks = looks
	return &ssh.Permissions{Extensions: map[string]string{provedKey: fingerprint}}, nil
}

func (v *visitor) newcomer(c *ssh.ServerConn) pair.Newcomer {
	host, _, _ := net.SplitHostPort(c.RemoteAddr().String())
	return pair.Newcomer{Name: c.User(), Key: c.Permissions.Extensions[provedKey], From: host, Via: "ssh", Looks: v.looks}
}

// invitations are codes that are good once, two at a time: one of them to look on only.
type invitations struct {
	lasts time.Duration

	mu      sync.Mutex
	code    string // empty after too many wrong ones, as look
	look    string
	expires time.Time
	wrong   int
}

// maxWrong is how many wrong codes end an invitation: of 2⁵⁰ one is right.
const maxWrong = 10

func newInvitations(lasts time.Duration) *invitations {
	i := &invitations{lasts: lasts}
	i.renew()
	return i
}

// current is the codes; empty after too many wrong ones.
func (i *invitations) current() (code, look string, expires time.Time) {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.code, i.look, i.expires
}

func (i *invitations) renew() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.make()
}

func (i *invitations) make() {
	text := strings.ToLower(rand.Text())
	i.code, i.look, i.expires, i.wrong = text[:5]+"-"+text[5:10], text[10:15]+"-"+text[15:20], time.Now().Add(i.lasts), 0
}

// use reports whether a code is one of the right ones, whether it is the one to look on,
// and whether those that were shown are good no more.
func (i *invitations) use(code string) (right, looks, changed bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.code == "" || time.Now().After(i.expires) {
		return false, false, false
	}
	given := []byte(strings.ToLower(strings.TrimSpace(code)))
	drives, looks := subtle.ConstantTimeCompare(given, []byte(i.code)) == 1, subtle.ConstantTimeCompare(given, []byte(i.look)) == 1
	if !drives && !looks {
		if i.wrong++; i.wrong >= maxWrong {
			i.code, i.look = "", ""
		}
		return false, false, i.code == ""
	}
	i.make()
	return true, looks, true
}
