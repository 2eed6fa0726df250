package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// secrets are hidden where the home directory itself has to stay visible.
var secrets = []string{".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".netrc", ".config/gcloud", ".config/gh", ".password-store"}

// systemSecrets are files and directories of a machine that hold keys, passwords
// or what other programs have said. Mostly root alone can read them, and a
// program under proof may run as root.
var systemSecrets = []string{
	"/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/security/opasswd", "/etc/sudoers", "/etc/sudoers.d",
	"/etc/ssh/ssh_host_*_key", "/etc/ssl/private", "/etc/pki/tls/private", "/etc/letsencrypt", "/etc/krb5.keytab", "/etc/wireguard", "/etc/openvpn", "/etc/ipsec.secrets", "/etc/ppp",
	"/etc/NetworkManager/system-connections", "/etc/wpa_supplicant", "/etc/iwd", "/etc/environment", "/etc/docker", "/etc/kubernetes", "/etc/rancher", "/etc/cloud",
	"/etc/mysql/debian.cnf", "/etc/apt/auth.conf", "/etc/apt/auth.conf.d", "/etc/crypttab",
	"/var/lib/docker", "/var/lib/containerd", "/var/lib/kubelet", "/var/lib/rancher", "/var/lib/NetworkManager", "/var/lib/iwd", "/var/lib/cloud", "/var/lib/private", "/var/lib/sss",
	"/var/lib/mysql", "/var/lib/postgresql", "/var/lib/redis", "/var/lib/mongodb", "/var/lib/jenkins", "/var/lib/AccountsService", "/var/lib/systemd",
	"/var/log", "/var/spool", "/var/mail", "/var/backups", "/var/crash", "/srv",
}

// Named is the file that a person's argument names, for a program that runs in dir: the
// person gives it to the program to read.
//
// A link gives nothing: it may be the repository's, and lead to any file. Where the way
// to dir, to the home directory or from the root has links, these are the person's or the
// machine's. A secret is not given by its name alone, either.
func Named(path, dir string) (file string, ok bool) {
	if path == "" {
		return "", false
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	path = filepath.Clean(path)
	real, err := filepath.EvalSymlinks(path)
	if err != nil || real != wayTo(path, dir) || isSecret(real) {
		return "", false
	}
	info, err := os.Lstat(real)
	return real, err == nil && info.Mode().IsRegular()
}

// wayTo is a path with the links followed that are not the repository's.
func wayTo(path, dir string) string {
	home, _ := os.UserHomeDir() // without one there is no way to it
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	for _, top := range []string{dir, home, "/" + first} {
		if real, err := filepath.EvalSymlinks(top); err == nil && filepath.IsAbs(top) && top != "/" && within(top, path) {
			return real + strings.TrimPrefix(path, top)
		}
	}
	return path
}

// isSecret reports whether a file, given without symbolic links, is one that is hidden
// from every program, or lies in a directory that is.
func isSecret(real string) bool {
	if slices.ContainsFunc(secrets, func(name string) bool { return strings.Contains(real+"/", "/"+name+"/") }) {
		return true
	}
	return slices.ContainsFunc(systemSecrets, func(pattern string) bool {
		paths, _ := filepath.Glob(pattern) // the patterns are ours
		return slices.ContainsFunc(resolved(paths), func(p string) bool { return within(p, real) })
	})
}

// resolved follows symbolic links and drops what does not exist.
func resolved(paths []string) []string {
	var found []string
	for _, p := range paths {
		if real, err := filepath.EvalSymlinks(p); err == nil && filepath.IsAbs(real) && !slices.Contains(found, real) {
			found = append(found, real)
		}
	}
	return found
}

// within reports whether path is dir or lies in it.
func within(dir, path string) bool {
	return path == dir || dir == "/" || strings.HasPrefix(path, dir+"/")
}
