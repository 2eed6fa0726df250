package redact

import (
	"slices"
	"strings"
)

// Keys in memory are numbers and bytes that look like any others. They are known by
// their types: what packages of cryptography call a key, a signer or an identity, and
// all that is made of one.

// keyWords are parts of the names of types that hold a key, in such a package.
var keyWords = []string{"key", "identity", "decrypter", "hmac", "mac", "cipher", "aead", "block", "gcm", "seed", "scalar", "ticket", "sessionstate", "halfconn", "kex",
	"schedule", "crtvalue", "precomputed", "certmsg"}

// privateWords are such parts that leave no doubt, publicWords those of types that
// hold no key, though they may name one.
var (
	privateWords = []string{"priv", "secret", "signer", "decaps", "keypair"}
	publicWords  = []string{"pub", "error", "usage", "size", "algorithm", "keyid", "keytype", "keyshare", "keylog", "keyboard", "hostkey", "knownkey", "certrequest",
		"suite", "curve", "encaps"}
)

// keyPackages are those in which every type is made of a key.
var keyPackages = []string{"aes", "bcrypt", "blake2b", "blake2s", "blowfish", "cast5", "chacha20", "chacha20poly1305", "cipher", "des", "drbg", "hkdf", "hmac", "hpke",
	"otr", "pkcs12", "poly1305", "rc4", "tea", "twofish", "xtea", "xts"}

// cryptoPackages are packages of cryptography by their names, for types that are
// written without a path, as journals do.
var cryptoPackages = []string{"acme", "age", "agent", "circl", "crypto", "dsa", "ecdh", "ecdsa", "ed25519", "ed448", "jose", "jwk", "kem", "kyber768", "mldsa", "mlkem", "mlkem768",
	"openpgp", "packet", "pem", "rsa", "secp256k1", "ssh", "tls", "tls12", "tls13", "x25519", "x448", "x509"}

// cryptoPaths are in the paths of such packages.
var cryptoPaths = []string{"/crypto/", "/go-crypto/", "/circl/", "/age/", "/go-jose/", "/jwx/", "/secp256k1/", "/x509/", "/pem/"}

// keyNames end the names of types that are keys in any package.
var keyNames = []string{"privatekey", "privkey", "secretkey", "signingkey", "decapsulationkey"}

// isKeyType reports whether a type, or one that it points to or holds in a list, a
// map or as a type argument, is that of a key.
func isKeyType(typ string) bool {
	if strings.HasPrefix(typ, "func") || strings.Contains(typ, "{") {
		return false // what it holds has types of its own
	}
	return slices.ContainsFunc(strings.FieldsFunc(typ, func(c rune) bool { return strings.ContainsRune("*[]() ,<", c) }), isKey)
}

// isKey reports whether a named type is that of a key: "crypto/rsa.PrivateKey".
func isKey(named string) bool {
	pkg, name := "", named
	if dot := strings.LastIndexByte(named, '.'); dot >= 0 {
		pkg, name = named[:dot], named[dot+1:]
	}
	if pkg == "" {
		return false
	}
	name = lower(name)
	within := func(part string) bool { return strings.Contains(name, part) }
	last := pkg[strings.LastIndexByte(pkg, '/')+1:]
	path := "/" + pkg + "/"
	crypto := slices.ContainsFunc(cryptoPaths, func(p string) bool { return strings.Contains(path, p) }) ||
		last == pkg && (slices.Contains(cryptoPackages, pkg) || slices.Contains(keyPackages, pkg))
	switch {
	case slices.ContainsFunc(keyNames, func(end string) bool { return strings.HasSuffix(name, end) }):
		return true
	case !crypto:
		return false
	case slices.ContainsFunc(privateWords, within):
		return true
	case slices.ContainsFunc(publicWords, within):
		return false
	}
	return slices.Contains(keyPackages, last) || slices.ContainsFunc(keyWords, within)
}
