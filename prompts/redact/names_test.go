package redact

import (
	"fmt"
	"strings"
	"testing"
)

// secretNames are names whose value is a secret: what follows the word does not change what
// it is.
var secretNames = []string{
	"password2", "password12", "dbPassword_1", "db_password_2", "Password2", "PASSWORD2", "DB_PASSWORD_OLD", "password2Old", "password1st", "passwords2", "passwd1", "pwd2", "passphrase3", "passphraseText", "secret2", "secretValue",
	"passwordValue", "passwordStr", "passwordBytes", "passwordOld", "passwordNew", "oldPasswordRaw", "newPasswordConfirm", "passwordAgain", "passwordPlain", "passwordFromEnv", "passwordByUser", "passwordsByUserName", "passwordA", "passwordCurrent",
	"password_prev", "passwordEnv", "passwordvalue", "clientSecretString", "secretBase64",
}

// secretKeyNames are those of secrets that machines make.
var secretKeyNames = []string{
	"apiKey2", "api_key2", "api_key_2", "APIKEY2", "apikey1", "apiKeyOld", "token2", "authToken2", "tokenValue", "tokenStr", "token_raw", "tokenForBob", "secretKey1", "privateKey2", "privateKeyPEM", "accessKeyNew", "credentials2", "signingKeyHex",
}

// openNames are names of what is no secret, though a secret's word is in them.
var openNames = []string{
	"tokenCount", "tokenKind", "tokenType", "tokenName", "tokenPos", "tokenIndex", "tokenizer", "tokenize", "tokenof", "keyName", "passwordLength", "passwordPolicy", "passwordField", "passwordHint", "passwordHash", "password_file", "passwordNewLength",
	"passwordByteLimit", "passwordless", "secretary", "secretName", "secretPath", "tokenInfo", "tokenOffset", "passwordInput", "password2Length", "token2Type", "apiKeyID", "errPasswordEmpty", "compass2", "passThrough", "passes", "bypass2", "PASS_COUNT",
}

func TestNamesOfSecrets(t *testing.T) {
	r := New(Settings{}, nil)
	for _, name := range append(secretNames, secretKeyNames...) {
		for _, form := range []string{"%s := %q", "%s = %q", "T{%s: %q}", `{"%s": %q}`, "%s string = %q", "%s=%s", "[config]\n%s = %s\n", "{User:bob %s:%s Port:80}"} {
			in := fmt.Sprintf(form, name, "swordfish")
			if got, _ := r.Text(in); strings.Contains(got, "swordfish") {
				t.Errorf("%s is shown", got)
			}
		}
		if _, hidden := r.HidesBytes(name); !hidden {
			t.Errorf("bytes of %s are shown", name)
		}
	}
	for _, name := range secretNames {
		if !IsPassword(name, "It is, a (secret).") || !IsPassword(name, "ADMIN_PASSWORD_2024") {
			t.Errorf("%s is not that of a password", name)
		}
	}
	for _, in := range []string{`pass2 := "swordfish"`, `DB_PASS_2=swordfish`, `dbPassOld = "swordfish"`, `pw1 := "swordfish"`, "db-password-2: swordfish", "X-Api-Key-Old: swordfish", "app --password2 'swordfish'"} {
		if got, _ := r.Text(in); strings.Contains(got, "swordfish") {
			t.Errorf("%s is shown", got)
		}
	}
}

func TestNamesOfNoSecrets(t *testing.T) {
	r := New(Settings{}, nil)
	for _, name := range openNames {
		for _, form := range []string{"%s := %q", "T{%s: %q}", `{"%s": %q}`} {
			in := fmt.Sprintf(form, name, "swordfish")
			if got, _ := r.Text(in); got != in {
				t.Errorf("%s is hidden: %s", in, got)
			}
		}
		if _, hidden := r.HidesBytes(name); hidden || NamesPassword(name) {
			t.Errorf("%s is the name of a secret", name)
		}
	}
	for name, value := range map[string]string{"maxPassword": "4096", "minPassword2": "1234", "passwordEnv": "DB_PASSWORD", "password": "api_key"} {
		if IsPassword(name, value) {
			t.Errorf("%s = %s is a password", name, value)
		}
	}
}

func TestWordsOfNames(t *testing.T) {
	for name, want := range map[string]string{
		"dbPassword_1": "db Password 1", "APIKey2Old": "API Key 2 Old", "X-Api-Key": "X Api Key", "base64PEM": "base 64 PEM", "DB_PASSWORD": "DB PASSWORD", "a.b": "a b", "": "", "_": "",
	} {
		if got := strings.Join(splitName(name), " "); got != want {
			t.Errorf("%q has the words %q, want %q", name, got, want)
		}
	}
}
