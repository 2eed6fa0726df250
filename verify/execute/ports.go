package execute

import (
	"bytes"
	"fmt"
	"net"
	"regexp"
	"slices"
	"strconv"

	"github.com/pausetui/pausetui/verify/sandbox"
)

// move is a port that the stopped target holds, and the free one that a program
// is told to take instead.
type move struct{ from, to int }

// number finds a port where it stands as a number of its own.
func (m move) number() *regexp.Regexp { return regexp.MustCompile(`\b` + strconv.Itoa(m.from) + `\b`) }

// anyPort is an address that leaves the port to the system.
var anyPort = regexp.MustCompile(`:0$`)

// elsewhere makes a program that runs in this machine's own network listen
// on free ports, by what its arguments and environment say of those that the
// stopped target holds; the repro command gets the same ports. If neither
// names a port, nothing is moved: the program has its ports from elsewhere.
func (v *Runner) elsewhere(s *sandbox.Spec) ([]move, error) {
	if s.Repro == nil || !s.SharesNetwork() {
		return nil, nil
	}
	r := *s.Repro
	s.Repro = &r
	var moves []move
	for _, port := range v.Subject.Ports {
		free, err := freePort()
		if err != nil {
			return nil, err
		}
		m := move{port, free}
		args, inArgs := replaced(s.Args, m.number(), strconv.Itoa(free))
		env, inEnv := replaced(s.Env, m.number(), strconv.Itoa(free))
		if !inArgs && !inEnv && len(v.Subject.Ports) == 1 {
			args, inArgs = replaced(s.Args, anyPort, ":"+strconv.Itoa(free))
		}
		if !inArgs && !inEnv {
			continue
		}
		s.Args, s.Env = args, env
		r.Command = m.number().ReplaceAllString(r.Command, strconv.Itoa(free))
		r.Ports = append(slices.Clip(r.Ports), free)
		moves = append(moves, m)
	}
	return moves, nil
}

// replaced replaces in each text; true if there was anything to replace.
func replaced(texts []string, pattern *regexp.Regexp, by string) ([]string, bool) {
	changed := slices.Clone(texts)
	for i, text := range texts {
		changed[i] = pattern.ReplaceAllString(text, by)
	}
	return changed, !slices.Equal(changed, texts)
}

// back makes an output comparable to those on other ports.
func back(output []byte, moves []move) []byte {
	for _, m := range moves {
		output = bytes.ReplaceAll(output, strconv.AppendInt(nil, int64(m.to), 10), strconv.AppendInt(nil, int64(m.from), 10))
	}
	return output
}

// freePort is one that nothing listens on at this moment.
func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("find a free port: %w", err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}
