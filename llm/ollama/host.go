package ollama

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
)

// DefaultURL is where the server is when nothing says otherwise.
const DefaultURL = "http://127.0.0.1:11434"

// parseHost reads what OLLAMA_HOST may hold, as Ollama's own client does, but
// refuses what that one quietly replaces by a default.
func parseHost(s string) (*url.URL, error) {
	s = strings.Trim(strings.TrimSpace(s), `"'`)
	scheme, rest, given := strings.Cut(s, "://")
	port := "11434"
	switch {
	case !given:
		scheme, rest = "http", s
	case scheme == "http":
		port = "80"
	case scheme == "https":
		port = "443"
	default:
		return nil, fmt.Errorf("the scheme %q is neither http nor https", scheme)
	}
	if !given && rest == "ollama.com" {
		scheme, port = "https", "443"
	}
	hostport, path, _ := strings.Cut(rest, "/")
	if strings.ContainsAny(hostport, " \t\r\n@?#%\\") {
		return nil, errors.New("not a host and port")
	}
	host, explicit, err := splitHostPort(hostport)
	if err != nil {
		return nil, err
	}
	if explicit != "" {
		port = explicit
	}
	if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
		return nil, fmt.Errorf("the port %q is not a number from 1 to 65535", port)
	}
	return &url.URL{Scheme: scheme, Host: net.JoinHostPort(connectable(host), port), Path: strings.TrimSuffix(path, "/")}, nil
}

// splitHostPort separates a port, if there is one; IPv6 addresses may come bare.
func splitHostPort(hostport string) (host, port string, err error) {
	if net.ParseIP(strings.Trim(hostport, "[]")) != nil {
		return strings.Trim(hostport, "[]"), "", nil
	}
	switch strings.Count(hostport, ":") {
	case 0:
		return hostport, "", nil
	case 1:
		if strings.HasSuffix(hostport, ":") {
			return "", "", errors.New("the port is missing after the colon")
		}
	}
	host, port, err = net.SplitHostPort(hostport)
	if err != nil {
		return "", "", errors.New("not a host and port")
	}
	return host, port, nil
}

// connectable replaces addresses that a server listens on by those that a
// client can reach.
func connectable(host string) string {
	if host == "" {
		return "127.0.0.1"
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		if ip.To4() != nil {
			return "127.0.0.1"
		}
		return "::1"
	}
	return host
}
