package redact

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// The signs and wrappers between a name and its value in configurations, requests, programs and
// logs. %s is the value.
var givings = map[string][]string{
	"Kubernetes": {"- name: DB_PASSWORD\n  value: %s", "env:\n  - name: \"DB_PASSWORD\"\n    value: %s\n  - name: later", "[{\n    \"name\": \"DB_PASSWORD\",\n    \"value\": \"%s\"\n}]"},
	"YAML": {"password:\n  %s", "db:\n  password: |\n    %s\n  user: later", "password: >-\r\n  %s\r\n", "passwords:\n- a\n- %s\nuser: later", "- password:\n    %s", "a: b\n  'password':\n    \"%s\"",
		"data:\n  secret: |2-\n\n    first line9\n    %s\n"},
	"YAML tags": {"password: !vault |\n  first\n  %s\nuser: later", "password: !!binary |\n  first\n  %s\nuser: later", "password: &a |-\n  first\n  %s\nuser: later", "password: !Ref %s", "password: !vault \"%s\"", "password: !<tag:yaml.org,2002:str> %s",
		"password: &a !vault |\n  first\n  %s\n"},
	"YAML lines": {"db:\n  password: 'first\n\n    it''s %s'\n  user: later", "password: first9\n  %s\nuser: later", "password:\n  first9\n  %s\nuser: later", "passwords:\n- 'first\n  second'\n- %s\nuser: later",
		"- name: DB_PASSWORD\n  value: |\n    first\n    %s\n- name: later"},
	"fields": {"?? {Key: \"password\", Value: ptr(\"%s\")}", "?? {Name: \"password\", Value: []byte(\"%s\")}", "?? {Key: \"password\", Value: slog.StringValue(\"a %s\")}", "- {name: DB_PASSWORD, value: %s}", "- {name: DB_PASSWORD, value: %s, later: x}"},
	"elements": {"<property>\n  <name>db.password</name>\n  <value>%s</value>\n</property>", "<name>db.password</name><description>of it</description><value>%s</value>", "<key>password</key>\n<string>%s</string>", "<password><value>%s</value></password>",
		`<property name="db.password"><value>%s</value></property>`, "<td>password</td><td>%s</td>", `<password><ns:value type="x">%s</ns:value></password>`},
	"MySQL": {"root:%s@/later?parseTime=true", "no login with root:%s@/later", "root:%s@(localhost:3306)/later", "root:%s@cloudsql(a:b:c)/later", "root:%s@tcp/later"},
	"JSON": {`{"password":{"value":"%s"}}`, `{"password": {"type": "text", "value": "%s"}}`, `{"passwords":["%s"]}`, `{"password":["x","%s"]}`, "{\"passwords\": [\n  \"a\",\n  \"%s\"\n]}", `{"pass\u0077ord":"%s"}`, `{"\u0050assword": "%s"}`,
		`"{\"passwords\":[\"%s\"]}"`, `"{\"pass\\u0077ord\":\"%s\"}"`},
	"XML":      {"<password><![CDATA[%s]]></password>", "<password>\n  <![CDATA[ %s ]]>\n</password>", `<entry key="password">%s</entry>`, `<property name="db.password" type="text">%s</property>`, "<password\n>%s</password>"},
	"blanks":   {"password\t%s", "password  %s", "password \t %s", "password\u00a0%s", "INFO connect\tpassword\t%s\tuser", "password:\u00a0%s", "password set to %s", "password is: %s"},
	"tables":   {"| password | %s |", "|user|password|%s|", "password|%s", "user,bob\npassword,%s\n", "user,bob,password,%s", "password;%s"},
	"signs":    {"secret=>%s", ":password => %s", "password := %s", "PASSWORD := %s", "password -> %s", "PASSWORD?=%s", "PASSWORD ?= %s", "PASSWORD::=%s", "PASSWORD+=%s", "/password:%s", "login /user:bob /password:%s /y", "password：%s", "password=%%68%s"},
	"calls":    {`setPassword("%s")`, `user.setDbPassword('%s');`, `withPassword( "%s" )`},
	"letters":  {`password = r"%s"`, `password = u'%s'`, `password: b"%s"`},
	"schemes":  {"bearer %s", "Authorization Bearer %s", "authorization=Bearer%%20%s"},
	"mid-line": {"config loaded: password = %s", "db.password = %s", "spring.datasource.password = %s", "INFO api_key = %s", "2026/11/30 00:00:00 password := %s", "user = bob password = %s host = later", "user id=sa;password = %s;server=later"},
	"printed":  {"{User:bob Password:{String:%s Valid:true} Host:later}", "{User:bob Password:&{Value:%s}}", "{Passwords:[a1 %s] Host:later}", "passwords: [x, %s]", "Password: (string) (len=14) \"%s\"", "password: !!binary %s", "password: &anchor %s"},
	"cut off":  {`{"user":"bob","password":"%s`, `{"user":"later","password":"%s…`, `DB_PASSWORD="%s`, `password: 'x %s`},
	"cells":    {"user,later\npassword,\"%s,x\"\n", "user,later\npassword,\"x\"\"%s\"\n", "| **password** | %s |", "| `password` | `%s` |", "│ password │ %s │"},
	"netrc":    {"machine h login later account x password %s", "default login bob password %s"},
	"said":     {`panic: password "a %s" is wrong`, `invalid password "letmein %s"`, `the password 'x %s' is of user later`},
	"blocks":   {"password = \"\"\"\n%s\"\"\"", "password = <<EOF\n%s\nEOF", "password: # of the database\n  %s", "passwords:\n  bob: %s", "- name: DB_PASSWORD\n  # later\n  value: %s", "<password>%s"},
	"headers": {"Cookie: theme=\"a b\"; session=%s", "map[Host:[later] Set-Cookie:[theme=dark; Path=/ session=%s; Path=/; HttpOnly]]", "Authorization: OAuth oauth_token=\"x\",oauth_signature=\"%s\"", "Authorization: Digest username=\"bob\", response=\"%s\"\nHost: later",
		"map[Authorization:[Hawk id=\"x\", mac=\"%s\"] Host:[later]]", `{"Cookie": ["theme=\"a b\"; session=%s"]}`, `{"Authorization": "Digest username=\"bob\", response=\"%s\"", "Host": "later"}`, "Set-Cookie: [a=b sid=%s]", `[]field{{Name: "cookie", Value: "sid=%s"}}`, `[][2]string{{"Proxy-Authorization", "Basic %s"}}`, `[]string{"Authorization", "Basic %s", "Cookie", "later"}`, `"headers": [{"name": "Set-Cookie", "value": "sid=%s; Path=/"}]`, "\"Set-Cookie\": [\n  \"a=b; Path=/\",\n  \"sid=%s; Path=/\"\n], \"later\""},
	"marks":   {`password: "%s [redacted by ops] more"`, `password="[redacted %s" later`, "password: [redacted a1b2c3]%s later"},
	"written": {`{&quot;password&quot;:&quot;%s&quot;,&quot;a&quot;:&quot;later&quot;}`, "?password%%3D%s%%26a=later", `password\u003d%s`, "pass%%77ord=%s&a=later", "https://u%%3A%s@later/", `{\"a\":{\\\"password\\\":\\\"%s\\\"}}`},
	"maps":    {"map[password:[%s] user:[later]]", "map[user:[later] password:[%s]]"},
}

func TestSecretsAreGivenInManyForms(t *testing.T) {
	r := New(Settings{}, nil)
	const secret = "hunter22771234"
	for kind, forms := range givings {
		for _, form := range forms {
			in := fmt.Sprintf(form, secret)
			texts := []string{in, "first\n" + in + "\nlast line\n"}
			if !strings.Contains(in, `\`) {
				texts = append(texts, strconv.Quote(in))
			}
			for _, text := range texts {
				got, _ := r.Text(text)
				if strings.Contains(got, "2277") || strings.Contains(text, "later") && !strings.Contains(got, "later") {
					t.Errorf("%s: %q becomes %q", kind, text, got)
				}
				if again, _ := r.Text(got); again != got {
					t.Errorf("%s: a second pass makes %q of %q", kind, again, got)
				}
			}
		}
	}
}

// A password may begin with any sign, and hold what a placeholder does.
func TestPlaceholdersAreWhole(t *testing.T) {
	r := New(Settings{}, nil)
	forms := []string{"DB_PASSWORD=%s", "package p\n\nconst dbPassword = %q\n", "package p\n\nvar m = map[string]string{\"api_token\": %q}\n", `{"password": %q}`, "{User:bob Password:%s Port:80}", "password:\n  - \"%s\"", "password: '%s'", "setPassword(%q)", "https://bob:%s@h/"}
	for _, form := range forms {
		for _, secret := range []string{"$Zx9leak1", "+Zx9leak1", "%Zx9leak1", ",Zx9leak1", ")Zx9leak1", "!Zx9leak1", "$Zx9leak1$x", "Zx9leak1%s"} {
			if got, _ := r.Text(fmt.Sprintf(form, secret)); strings.Contains(got, "leak1") {
				t.Errorf("%s", got)
			}
		}
		for _, same := range []string{"$PASSWORD", "${DB_PASSWORD_2}", "{{ .Values.password }}", "<your-password>", "%(password)s", "%-20s", "********", "xxxx", "$(DB_PASSWORD)"} {
			in := fmt.Sprintf(form, same)
			if got, _ := r.Text(in); got != in && !strings.HasPrefix(form, "{User") { // where it is a name in a list
				t.Errorf("%s is hidden: %s", same, got)
			}
		}
	}
	for _, secret := range []string{`"<Zx9leak1"`, `"{Zx9leak1}"`, `"a${Zx}leak1"`, `"{{Zx9leak1"`, `"%68leak1"`, `"Correct Horse Battery leak1"`, `'correct horse battery leak1'`, `'it''s leak1'`, `"Correct, the Horse (leak1)!"`} {
		for _, form := range []string{`{"password": %s}`, "password=%s", "password: %s\nuser: bob", "SET PASSWORD = %s;", `f("db_password", x); password = %s`} {
			if got, _ := r.Text(fmt.Sprintf(form, secret)); strings.Contains(got, "leak1") {
				t.Errorf("%s", got)
			}
		}
	}
}

// Phrases of passwords have capital letters and signs, too; sentences about them stay.
func TestPhrases(t *testing.T) {
	r := New(Settings{}, nil)
	for _, phrase := range []string{"Correct Horse Battery Zulu", "correct horse battery Zx9 zulu", "Is it a Horse, or a Zulu?", "My Secret Horse Zulu"} {
		for _, form := range []string{"const adminPassword = %q", "package p\n\nconst adminPassword = %q\n", `{"password": %q}`, "wrong password %q", "setPassword(%q)", "package p\n\nfunc f() { setPassword(%q) }\n"} {
			if got, _ := r.Text(fmt.Sprintf(form, phrase)); strings.Contains(strings.ToLower(got), "zulu") {
				t.Errorf("%s", got)
			}
		}
	}
	for _, in := range []string{"password: Correct Horse Battery Zulu\n", "[db]\npassword = Correct Horse Battery Zulu\n", "DB_PASSWORD=Correct Horse Battery Zulu\n", "password: Correct Horse\n  Battery Zulu\nuser: later\n", "a:\n  - password: Correct Horse Battery Zulu # later\n"} {
		if got, _ := r.Text(in); strings.Contains(got, "Zulu") || strings.Contains(in, "later") && !strings.Contains(got, "later") {
			t.Errorf("%q becomes %q", in, got)
		}
	}
	for _, same := range []string{`passwordText = "Enter the password of bob"`, `{"password": "The Password must not be empty."}`, `{"token": "<p>A unique, case-sensitive identifier that you provide</p>"}`, "password: the password of the account\n", "Password: (string) of the account\n"} {
		if got, _ := r.Text(same); got != same {
			t.Errorf("%q becomes %q", same, got)
		}
	}
}

// What stands in the same places and is no secret.
func TestWhatIsGivenToOtherNamesStays(t *testing.T) {
	for _, same := range []string{
		"password:\n  type: string\n", "password:\n  required, and long enough\n", "token:\n  keyword2\n", "password:\nuser: somebody9\n", "switch x {\ncase password:\n\tcontinue\n", "\tcase \"user\",\n\t\t\"password\":\n\t\tcontinue\n",
		"secrets:\n  - database-login\n  - db_password\n", "token: |\n  a word of a language\n", "- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef:\n      name: database1\n", "- name: DB_PASSWORD\n  value: $(OTHER_ONE)\n",
		`{"password":["required","string"]}`, `{"tokens":["identifier","keyword"]}`, `{"password":{"type":"string"}}`, `protobuf:"bytes,2,opt,name=password,proto3"`, "name, password, and the address2", "f(password,value2nd)",
		"| password | string |", "| `password` | the password of user1 |", "password\tstring\tof the account", "kpasswd\t\t464/tcp", "token -> expression", "case token => parse2", "password := pass2nd", "token := next2",
		`getToken("identifier")`, `setPassword(newPassword)`, `addToken("identifier")`, "bearer of news", "Bearer authentication", "password = reader", `\u0070rogram is "a word"`, "<password></password>", `<span class="token">identifier</span>`,
		"<password><type>string</type></password>", "<name>password</name>\n<type>string</type>", "password:\n  type: string\n  format: password\n", "log(\"password=\" + pw + \"&a=b\")", "f(\"password,\", x, \"and more\")", "mail bob:x@example.com/home", "import a from 'b:@/c'",
		"password=%64", "password=%-20s", "a password: yes, or no",
	} {
		if got, found := New(Settings{}, nil).Text(same); got != same {
			t.Errorf("%q became %q: %v", same, got, found)
		}
	}
}

// Numbers are secrets under the names of all that is one; those called tokens are counts.
func TestNamesOfNumbers(t *testing.T) {
	for _, name := range []string{"password", "apiKey", "c.apiKeys", "secretKey2", "apiToken", "token", "pw", "passcode", "DB_PASS"} {
		if !NamesNumber(name) {
			t.Errorf("a number called %s is shown", name)
		}
	}
	for _, name := range []string{"", "tokens", "promptTokens", "tokenCount", "maxPassword", "compass", "errToken", "x.y"} {
		if NamesNumber(name) {
			t.Errorf("a number called %s is hidden", name)
		}
	}
}

// What a name gives is hidden from four bytes on; a shorter one is everywhere.
func TestShortSecretsAreHidden(t *testing.T) {
	for _, secret := range []string{"Zx91", "Zx9-7", "47110", "4711", "Zx9q7", "wort"} {
		for _, form := range []string{"package p\n\nfunc f() {\n\tpassword := %q\n\t_ = password\n}\n", "DB_PASSWORD=%s", `{"password": %q}`, "password: %s", "password: %q", "package p\n\nconst password = %q\n",
			"mysql -p%s", "https://bob:%s@h/", "Cookie: sid=%s", "Authorization: %s"} {
			text := strings.ReplaceAll(strings.ReplaceAll(form, "%q", strconv.Quote(secret)), "%s", secret)
			if got, _ := New(Settings{}, nil).Text(text); strings.Contains(got, secret) {
				t.Errorf("%q becomes %q", text, got)
			}
		}
	}
	for _, same := range []string{`password: "abc"`, "DB_PASSWORD=x", `{"password": true}`, `{"password": "true"}`, "password=null"} {
		if got, _ := New(Settings{}, nil).Text(same); got != same {
			t.Errorf("%q becomes %q", same, got)
		}
	}
}
