package redact

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the table of canaries into docs/redaction.md")

// canary is a made-up secret in a text.
type canary struct{ name, text, secret string }

// fresh makes a random text that is not the same as the others: none of the canaries
// stands in this file.
type fresh uint64

func (f *fresh) text(n int, of string) string {
	*f++
	return text(uint64(*f), n, of)
}

const (
	hexes = digits + "abcdef"
	alnum = letters + digits
	web   = alnum + "-_"
)

// services makes tokens of the forms that services document, without a telling name.
func services() map[string]string {
	f := fresh(5000)
	x := f.text
	id := func(n int) string { return x(n, digits[1:]) }
	return map[string]string{
		"1Password": "ops_" + "eyJ" + x(240, alnum), "age": "AGE-SECRET-" + "KEY-1" + x(58, uppers+digits), "Airtable": "pat" + x(14, alnum) + "." + x(64, hexes), "Alibaba": "LTAI" + x(20, alnum),
		"Anthropic": "sk-" + "ant-api03-" + x(93, web) + "AA", "Artifactory": "AKCp" + x(69, alnum), "Atlassian": "ATATT3" + x(186, web), "AWS id": "AKIA" + x(16, uppers+"234567"), "AWS secret": x(40, alnum+"/+"),
		"Azure client secret": x(3, alnum) + "8Q~" + x(34, web), "Bitbucket": "ATBB" + x(32, alnum), "Buildkite": "bkua_" + x(40, hexes), "Clojars": "CLOJARS_" + x(60, lowers+digits), "Contentful": "CFPAT-" + x(43, web),
		"crates.io": "cio" + x(32, alnum), "Databricks": "dapi" + x(32, hexes), "DigitalOcean": "dop_v1_" + x(64, hexes), "Discord bot": "M" + x(25, alnum) + "." + x(6, web) + "." + x(38, web),
		"Discord webhook": "https://discord.com/api/webhooks/" + id(18) + "/" + x(68, web), "Docker": "dckr_pat_" + x(27, web), "Doppler": "dp.pt." + x(43, alnum), "Dropbox": "sl." + x(136, web), "Dropbox, long": x(11, lowers+digits) + "AAAAA" + "AAAAA" + x(43, web),
		"Dynatrace": "dt0c01." + x(24, uppers+digits) + "." + x(64, uppers+digits), "EasyPost": "EZAK" + x(54, alnum), "Figma": "figd_" + x(40, web), "Fly.io": "fm2_" + x(120, alnum), "GitHub": "ghp_" + x(36, alnum), "GitHub, fine": "github_" + "pat_" + x(22, alnum) + "_" + x(59, alnum),
		"GitLab": "glpat-" + x(20, web), "Google key": "AIza" + x(35, web), "Google refresh": "1//0" + x(60, web), "Grafana": "glsa_" + x(32, alnum) + "_" + x(8, hexes), "Hugging Face": "hf_" + x(34, letters), "JWE": jwe(&f),
		"JWT": "eyJ" + x(17, alnum) + ".eyJ" + x(60, alnum) + "." + x(43, web), "Linear": "lin_api_" + x(40, alnum), "Mailchimp": x(32, hexes) + "-us12", "Mailgun": "key-" + x(32, hexes), "Netlify": "nfp_" + x(36, alnum), "New Relic": "NRAK-" + x(27, uppers+digits),
		"Notion": "ntn_" + x(46, alnum), "npm": "npm_" + x(36, alnum), "NuGet": "oy2" + x(43, lowers+digits), "NVIDIA": "nvapi-" + x(64, web), "OpenAI": "sk-" + "proj-" + x(74, web), "PlanetScale": "pscale_" + "tkn_" + x(43, web), "Postman": "PMAK-" + x(24, hexes) + "-" + x(34, hexes),
		"Pulumi": "pul-" + x(40, hexes), "PyPI": "pypi-AgEIcHlwaS5vcmc" + x(100, web), "RubyGems": "rubygems_" + x(48, hexes), "SendGrid": "SG." + x(22, web) + "." + x(43, web), "Sentry": "sntryu_" + x(64, hexes), "Shippo": "shippo_live_" + x(40, hexes), "Shopify": "shpat_" + x(32, hexes),
		"Slack": "xoxb-" + id(12) + "-" + id(12) + "-" + x(24, alnum), "Slack webhook": "https://hooks.slack.com/services/T" + x(10, uppers+digits) + "/B" + x(10, uppers+digits) + "/" + x(24, alnum), "Sourcegraph": "sgp_" + x(40, hexes), "Square": "sq0atp-" + x(22, web),
		"Stripe": "sk_" + "live_" + x(24, alnum), "Supabase": "sbp_" + x(40, hexes), "Tailscale": "tskey-auth-" + x(12, alnum) + "-" + x(32, alnum), "Telegram": id(10) + ":AA" + x(33, web), "Terraform": x(14, alnum) + ".atlasv1." + x(67, alnum), "Twilio": "SK" + x(32, hexes),
		"Typeform": "tfp_" + x(59, alnum), "Vault": "hvs." + x(95, web), "Zapier webhook": "https://hooks.zapier.com/hooks/catch/" + id(7) + "/" + x(7, lowers+digits),
	}
}

func jwe(f *fresh) string {
	return "eyJ" + f.text(40, alnum) + "." + f.text(80, web) + "." + f.text(16, web) + "." + f.text(60, web) + "." + f.text(22, web)
}

// addresses makes URLs and connection strings with a password.
func addresses(password string) (list []canary) {
	for _, form := range []string{"postgres://app:%s@db:5432/app", "https://bob:%s@example.com/x", "redis://:%s@cache:6379/0", "amqp://app:%s@mq/", "mongodb+srv://app:%s@c0.example.net/", "app:%s@tcp(db:3306)/app", "app:%s@/app?tls=true", "app:%s@(db:3306)/app", "Server=db;UID=sa;PWD=%s;Database=app",
		"Server=db;User Id=sa;Password=%s;Encrypt=no", "host=db user=app password=%s sslmode=disable", `parse "postgres://app:%s@db/app": invalid port`, "smtp://bob:%s@mail:25", "ftp://bob:%s@files/x"} {
		list = append(list, canary{form, fmt.Sprintf(form, password), password})
	}
	return list
}

// privateKeys makes a key in PEM in the ways in which it stands in texts.
func privateKeys() (list []canary) {
	f := fresh(6000)
	var lines []string
	for range 12 {
		lines = append(lines, f.text(64, alnum+"+/"))
	}
	body := strings.Join(lines, "\n")
	for _, kind := range []string{"RSA ", "EC ", "OPENSSH ", ""} {
		key := "-----BEGIN " + kind + "PRIVATE KEY-----\n" + body + "\n-----END " + kind + "PRIVATE KEY-----\n"
		escaped, _ := json.Marshal(key)
		for name, in := range map[string]string{"as it is": key, "escaped": string(escaped), "joined": strings.ReplaceAll(key, "\n", ""), "cut": key[:len(key)-90], "after a time": strings.ReplaceAll(key, "\n", "\n12:00:01 app | "), "without a header": body} {
			list = append(list, canary{kind + name, in, lines[3] + lines[4][:20]})
			list[len(list)-1].secret = lines[4]
		}
	}
	return list
}

// otherForms are of a secret that a program has written in another way.
func otherForms() (list []canary) {
	f := fresh(7000)
	for _, secret := range []string{f.text(24, alnum), "hunter22x"} {
		var runes, escaped []string
		for _, c := range secret {
			runes = append(runes, strconv.QuoteRune(c))
			escaped = append(escaped, fmt.Sprintf(`\u%04x`, c))
		}
		for name, in := range map[string]string{"hexadecimal": hex.EncodeToString([]byte(secret)), "base64": base64.StdEncoding.EncodeToString([]byte(secret)), "escaped": strings.Join(escaped, ""), "halves": secret[:4] + `" + "` + secret[4:]} {
			list = append(list, canary{name, `password := "` + in + `"`, in}, canary{name + ", no name", `x := "` + in + `"`, in})
		}
		for open, in := range map[string]string{"[]byte{": strings.ReplaceAll(numbersOf(secret), " ", ", "), "[]rune{": strings.Join(runes, ", "), "[": numbersOf(secret)} {
			list = append(list, canary{open, "password = " + open + in + "}", in}, canary{open + ", no name", "x = " + open + in + "}", in})
		}
	}
	return list
}

func hashes() (list []canary) {
	f := fresh(8000)
	for _, h := range []string{"$6$" + f.text(16, alnum) + "$" + f.text(86, alnum+"./"), "$5$" + f.text(16, alnum) + "$" + f.text(43, alnum+"./"), "$2b$12$" + f.text(53, alnum+"./"), "$argon2id$v=19$m=65536,t=3,p=4$" + f.text(22, alnum) + "$" + f.text(43, alnum), "$y$j9T$" + f.text(22, alnum) + "$" + f.text(43, alnum)} {
		list = append(list, canary{h[:3], "root:" + h + ":19000:0:99999:7:::", h}, canary{h[:3] + " quoted", `x := "` + h + `"`, h})
	}
	return list
}

// named are secrets that are given to the name of one, in source and in texts.
func named(secrets ...string) (list []canary) {
	for _, form := range []string{"DB_PASSWORD=%s\n", "package p\n\nconst dbPassword = \"%s\"\n", `{"password": "%s"}`, "password:\n  - \"%s\"\n", "password: '%s'\n", `EnvVar{Name: "password", Value: ptr("%s")}`, "- name: DB_PASSWORD\n  value: \"%s\"\n"} {
		for _, secret := range secrets {
			list = append(list, canary{form, fmt.Sprintf(form, secret), secret})
		}
	}
	return list
}

// inLines are in elements, in fields and in several lines.
func inLines() (list []canary) {
	f := fresh(9500)
	for _, form := range []string{"<name>db.password</name>\n<value>%s</value>", "<key>password</key>\n<string>%s</string>", "<password><value>%s</value></password>", "- {name: DB_PASSWORD, value: %s}", "password: !vault |\n  first\n  %s\n",
		"password: !Ref %s\n", "password: \"first\n  %s\"\n", "password: first\n  %s\n", "password:\n  first\n  %s\n", `slog.Attr{Key: "password", Value: slog.StringValue("%s")}`} {
		secret := f.text(9, lowers)
		list = append(list, canary{form, fmt.Sprintf(form, secret), secret})
	}
	return list
}

// canaries are all of them, by kind, in the order of the table.
func canaries() (kinds []string, of map[string][]canary) {
	of = map[string][]canary{}
	add := func(kind string, list ...canary) {
		if of[kind] == nil {
			kinds = append(kinds, kind)
		}
		of[kind] = append(of[kind], list...)
	}
	for name, token := range services() {
		secret := token[strings.LastIndexByte(token, '/')+1:]
		if !strings.Contains(token, "://") {
			secret = token
		}
		add("tokens of services, in source", canary{name, fmt.Sprintf("x := connect(%q)", token), secret})
		add("the same in a line of a log", canary{name, "12:00:01 app got " + token + " and went on", secret})
	}
	dsn := fresh(9000)
	add("URLs and connection strings", addresses("hunter22x")...)
	add("URLs and connection strings", canary{"Sentry", "https://" + dsn.text(32, hexes) + "@o1.ingest.sentry.io/2", text(9001, 32, hexes)})
	for _, sign := range []string{"/", "#", "?", "%", "@"} {
		add("the same, passwords with `/ # ? % @`", addresses("hunt"+sign+"er22x")...)
	}
	add("private keys in PEM", privateKeys()...)
	add("password hashes", hashes()...)
	var signed []string
	for _, sign := range "$+%<{,)" {
		signed = append(signed, string(sign)+"Zx9leak1q")
	}
	add("given to a name, with a sign first: `$ + % < { , )`", named(signed...)...)
	add("phrases given to a name", named("Correct Horse Battery Zulu", "correct horse battery Zx9", "Is it a Horse, or a Zulu?")...)
	add("words in elements, fields and lines of YAML", inLines()...)
	add("other forms", otherForms()...)
	return kinds, of
}

// left reports whether three fifths of a secret still stand somewhere in a text.
func left(text, secret string) bool {
	n := (len(secret)*3 + 4) / 5
	for i := 0; i+n <= len(secret); i++ {
		if strings.Contains(text, secret[i:i+n]) {
			return true
		}
	}
	return false
}

// The table of the docs tells how many canaries of each kind are caught.
func TestCanaries(t *testing.T) {
	kinds, of := canaries()
	var table strings.Builder
	table.WriteString("| kind | canaries | hidden |\n|---|--:|--:|\n")
	for _, kind := range kinds {
		hidden := 0
		for _, c := range of[kind] {
			got, _ := New(Settings{Entropy: true}, nil).Text(c.text)
			if left(got, c.secret) {
				t.Logf("%s, %s: %s", kind, c.name, got)
			} else {
				hidden++
			}
		}
		fmt.Fprintf(&table, "| %s | %d | %d |\n", kind, len(of[kind]), hidden)
	}
	const begin, end, file = "<!-- canaries -->\n", "<!-- end -->", "../../docs/redaction.md"
	docs, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(docs), begin)
	was, after, ok := strings.Cut(rest, end)
	if *update {
		if err := os.WriteFile(file, []byte(before+begin+table.String()+end+after), 0o600); err != nil {
			t.Fatal(err)
		}
	} else if !ok || was != table.String() {
		t.Errorf("docs/redaction.md has another table; go test ./prompts/redact -run TestCanaries -update writes it:\n%s", table.String())
	}
}
