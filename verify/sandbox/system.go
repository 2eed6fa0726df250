//go:build linux

package sandbox

import (
	"path/filepath"
	"slices"
)

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

// hiddenSystem lists those that are there, but for what the spec shows: paths in
// readable, and what they lie in.
func hiddenSystem(readable []string) []string {
	var found []string
	for _, pattern := range systemSecrets {
		paths, _ := filepath.Glob(pattern) // the patterns are ours
		for _, p := range paths {
			if !slices.ContainsFunc(readable, func(r string) bool { return within(p, r) }) {
				found = append(found, p)
			}
		}
	}
	return found
}
