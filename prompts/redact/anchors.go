package redact

import "sync"

// charset is a set of bytes.
type charset [256]bool

func set(ranges string, more string) *charset {
	var c charset
	for i := 0; i+1 < len(ranges); i += 2 {
		for b := int(ranges[i]); b <= int(ranges[i+1]); b++ {
			c[b] = true
		}
	}
	for i := range len(more) {
		c[more[i]] = true
	}
	return &c
}

var (
	upperDigit = set("AZ09", "")
	hexDigit   = set("af09", "")
	alphaNum   = set("azAZ09", "")
	wordByte   = set("azAZ09", "_")
	urlSafe    = set("azAZ09", "_-")
	dotted     = set("azAZ09", "_-.")
	base64Text = set("azAZ09", "+/_-=")
	base64Std  = set("azAZ09", "+/=")
	crypt      = set("azAZ09", "./+,=$_-")
	bearer     = set("azAZ09", "._~+/=-")
)

// token is a kind of key that is known by how it begins.
type token struct {
	prefix, kind string
	of           *charset
	least        int // bytes after the prefix
	most         int // 0: as many as there are
}

// tokens are the prefixes that services document for their keys, so that they
// can be distinguished from other text.
var tokens = []token{
	{"AKIA", "AWS key id", upperDigit, 16, 16}, {"ASIA", "AWS key id", upperDigit, 16, 16}, {"ABIA", "AWS key id", upperDigit, 16, 16},
	{"ghp_", "GitHub token", alphaNum, 20, 0}, {"gho_", "GitHub token", alphaNum, 20, 0}, {"ghu_", "GitHub token", alphaNum, 20, 0},
	{"ghs_", "GitHub token", alphaNum, 20, 0}, {"ghr_", "GitHub token", alphaNum, 20, 0}, {"github_pat_", "GitHub token", wordByte, 20, 0},
	{"glpat-", "GitLab token", urlSafe, 20, 0}, {"gldt-", "GitLab token", urlSafe, 20, 0}, {"glrt-", "GitLab token", urlSafe, 20, 0},
	{"glptt-", "GitLab token", urlSafe, 20, 0}, {"glcbt-", "GitLab token", urlSafe, 20, 0}, {"gloas-", "GitLab token", urlSafe, 20, 0},
	{"xoxb-", "Slack token", urlSafe, 10, 0}, {"xoxp-", "Slack token", urlSafe, 10, 0}, {"xoxa-", "Slack token", urlSafe, 10, 0},
	{"xoxr-", "Slack token", urlSafe, 10, 0}, {"xoxs-", "Slack token", urlSafe, 10, 0}, {"xapp-", "Slack token", urlSafe, 20, 0},
	{"sk_live_", "Stripe key", alphaNum, 16, 0}, {"sk_test_", "Stripe key", alphaNum, 16, 0}, {"rk_live_", "Stripe key", alphaNum, 16, 0},
	{"rk_test_", "Stripe key", alphaNum, 16, 0}, {"whsec_", "Stripe key", base64Text, 24, 0},
	{"sk-", "API key", urlSafe, 20, 0}, {"gsk_", "API key", alphaNum, 32, 0}, {"xai-", "API key", alphaNum, 32, 0}, {"r8_", "API key", alphaNum, 32, 0},
	{"pplx-", "API key", alphaNum, 32, 0}, {"hf_", "Hugging Face token", alphaNum, 30, 0},
	{"AIza", "Google key", urlSafe, 35, 35}, {"GOCSPX-", "Google key", urlSafe, 24, 0}, {"ya29.", "Google token", dotted, 20, 0},
	{"npm_", "npm token", alphaNum, 30, 0}, {"pypi-", "PyPI token", urlSafe, 40, 0}, {"dckr_pat_", "Docker token", urlSafe, 20, 0},
	{"dop_v1_", "DigitalOcean token", hexDigit, 40, 0}, {"doo_v1_", "DigitalOcean token", hexDigit, 40, 0},
	{"SG.", "SendGrid key", dotted, 40, 0}, {"key-", "Mailgun key", hexDigit, 32, 32}, {"SK", "Twilio key", hexDigit, 32, 32},
	{"sq0atp-", "Square token", urlSafe, 20, 0}, {"sq0csp-", "Square token", urlSafe, 40, 0},
	{"shpat_", "Shopify token", alphaNum, 30, 0}, {"shpca_", "Shopify token", alphaNum, 30, 0}, {"shpss_", "Shopify token", alphaNum, 30, 0},
	{"dapi", "Databricks token", hexDigit, 32, 32}, {"hvs.", "Vault token", urlSafe, 24, 0}, {"hvb.", "Vault token", urlSafe, 24, 0},
	{"lin_api_", "Linear key", alphaNum, 30, 0}, {"ntn_", "Notion token", alphaNum, 30, 0}, {"sbp_", "Supabase token", hexDigit, 40, 0},
	{"glsa_", "Grafana token", wordByte, 30, 0}, {"pscale_tkn_", "PlanetScale token", urlSafe, 30, 0}, {"NRAK-", "New Relic key", upperDigit, 27, 27},
	{"PMAK-", "Postman key", urlSafe, 40, 0}, {"dp.pt.", "Doppler token", alphaNum, 40, 0}, {"pul-", "Pulumi token", hexDigit, 40, 0},
	{"ATATT3", "Atlassian token", base64Text, 40, 0}, {"tskey-", "Tailscale key", urlSafe, 20, 0}, {"sntrys_", "Sentry token", base64Text, 40, 0},
	{"sgp_", "Sourcegraph token", wordByte, 40, 0}, {"sl.", "Dropbox token", dotted, 60, 0}, {"1//0", "Google token", urlSafe, 30, 0}, {"EAACEdEose0cBA", "Facebook token", alphaNum, 20, 0},
	{"glagent-", "GitLab token", urlSafe, 20, 0}, {"glft-", "GitLab token", urlSafe, 20, 0}, {"glsoat-", "GitLab token", urlSafe, 20, 0}, {"glimt-", "GitLab token", urlSafe, 20, 0},
	{"ATCTT3", "Atlassian token", base64Text, 40, 0}, {"ATBB", "Bitbucket password", alphaNum, 32, 0}, {"nfp_", "Netlify token", alphaNum, 36, 0}, {"fm2_", "Fly.io token", base64Text, 60, 0},
	{"fo1_", "Fly.io token", urlSafe, 40, 0}, {"rubygems_", "RubyGems key", hexDigit, 48, 0}, {"CLOJARS_", "Clojars token", alphaNum, 60, 60}, {"oy2", "NuGet key", alphaNum, 43, 43},
	{"cio", "crates.io token", alphaNum, 32, 32}, {"EZAK", "EasyPost key", alphaNum, 54, 54}, {"EZTK", "EasyPost key", alphaNum, 54, 54}, {"shippo_live_", "Shippo token", hexDigit, 40, 0},
	{"dt0c01.", "Dynatrace token", dotted, 80, 0}, {"figd_", "Figma token", urlSafe, 36, 0}, {"AKCp", "Artifactory key", alphaNum, 60, 0}, {"LTAI", "Alibaba key id", alphaNum, 16, 24},
	{"amzn.mws.", "Amazon MWS token", urlSafe, 36, 0}, {"xoxe-", "Slack token", urlSafe, 20, 0}, {"xoxe.", "Slack token", dotted, 20, 0}, {"ops_eyJ", "1Password token", base64Text, 100, 0},
	{"tfp_", "Typeform token", dotted, 40, 0}, {"nvapi-", "NVIDIA key", urlSafe, 50, 0}, {"rnd_", "Render key", alphaNum, 28, 0}, {"phx_", "PostHog key", alphaNum, 40, 0},
	{"dp.st.", "Doppler token", dotted, 40, 0}, {"dp.sa.", "Doppler token", dotted, 40, 0}, {"lin_oauth_", "Linear key", hexDigit, 60, 0}, {"glc_eyJ", "Grafana token", base64Text, 40, 0},
	{"sntryu_", "Sentry token", hexDigit, 60, 0}, {"pscale_pw_", "PlanetScale token", dotted, 32, 0}, {"pscale_oauth_", "PlanetScale token", dotted, 32, 0}, {"CFPAT-", "Contentful token", urlSafe, 40, 0},
	{"bkua_", "Buildkite token", hexDigit, 40, 0}, {"duffel_live_", "Duffel token", urlSafe, 40, 0}, {"ABSK", "AWS Bedrock key", base64Std, 100, 0}, {"dor_v1_", "DigitalOcean token", hexDigit, 60, 0},
	{"$1$", "password hash", crypt, 20, 0}, {"$5$", "password hash", crypt, 40, 0}, {"$6$", "password hash", crypt, 60, 0}, {"$y$", "password hash", crypt, 40, 0}, {"$apr1$", "password hash", crypt, 20, 0},
	{"$2a$", "password hash", crypt, 50, 0}, {"$2b$", "password hash", crypt, 50, 0}, {"$2y$", "password hash", crypt, 50, 0}, {"$argon2i$", "password hash", crypt, 40, 0}, {"$argon2d$", "password hash", crypt, 40, 0},
	{"$argon2id$", "password hash", crypt, 40, 0}, {"$pbkdf2-sha256$", "password hash", crypt, 40, 0}, {"$scrypt$", "password hash", crypt, 40, 0},
	{"AGE-SECRET-KEY-1", "age key", upperDigit, 50, 0}, {"FwoGZXIvYXdz", "AWS session token", base64Text, 60, 0},
}

// secretWords are parts of the names that secrets have; where a name ends in
// one, whatever it is given is taken for a secret.
var secretWords = []string{
	"secret", "secretkey", "secret_key", "secret-key", "password", "passwd", "passphrase", "passcode", "pwd", "token", "apikey", "api_key", "api-key", "accesskey", "access_key", "access-key",
	"privatekey", "private_key", "private-key", "accountkey", "account_key", "signingkey", "signing_key", "encryptionkey", "encryption_key",
	"credential", "credentials", "authkey", "auth_key",
}

// thoughtOf are those of the words whose secrets people may think of.
var thoughtOf = []string{"secret", "password", "passwd", "passphrase", "passcode", "pwd", "credential", "credentials"}

// The other texts that a secret may be near.
const (
	anchorURL       = "://"
	anchorKey       = "-----begin "
	anchorJWT       = "eyj"
	anchorBearer    = "bearer "
	anchorBearerURL = "bearer%20"
	anchorBasic     = "basic "
	anchorDSN       = "@"
)

var otherAnchors = []string{anchorURL, anchorKey, anchorJWT, anchorBearer, anchorBearerURL, anchorBasic, anchorDSN}

// anchors finds all of these in one pass, without regard to case: first the
// words, then the others, then the forms and the tokens.
var anchors = sync.OnceValue(func() *literals {
	var all []known
	for _, list := range [][]string{secretWords, otherAnchors, requestAnchors} {
		for _, t := range list {
			all = append(all, known{text: t})
		}
	}
	for _, f := range forms {
		all = append(all, known{text: f.anchor})
	}
	for _, t := range tokens {
		all = append(all, known{text: lower(t.prefix)})
	}
	return automaton(all, true)
})

func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c - 'A' + 'a'
		}
	}
	return string(b)
}
