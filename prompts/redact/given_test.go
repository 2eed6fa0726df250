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
	"JSON": {`{"password":{"value":"%s"}}`, `{"password": {"type": "text", "value": "%s"}}`, `{"passwords":["%s"]}`, `{"password":["x","%s"]}`, "{\"passwords\": [\n  \"later\",\n  \"%s\"\n]}", `{"pass\u0077ord":"%s"}`, `{"\u0050assword": "%s"}`,
		`"{\"passwords\":[\"%s\"]}"`, `"{\"pass\\u0077ord\":\"%s\"}"`},
	"XML":     {"<password><![CDATA[%s]]></password>", "<password>\n  <![CDATA[ %s ]]>\n</password>", `<entry key="password">%s</entry>`, `<property name="db.password" type="text">%s</property>`, "<password\n>%s</password>"},
	"blanks":  {"password\t%s", "password  %s", "password \t %s", "password\u00a0%s", "INFO connect\tpassword\t%s\tuser", "password:\u00a0%s", "password set to %s", "password is: %s"},
	"tables":  {"| password | %s |", "|user|password|%s|", "password|%s", "user,bob\npassword,%s\n", "user,bob,password,%s", "password;%s"},
	"signs":   {"secret=>%s", ":password => %s", "password := %s", "PASSWORD := %s", "password -> %s", "PASSWORD?=%s", "PASSWORD ?= %s", "PASSWORD::=%s", "PASSWORD+=%s", "/password:%s", "login /user:bob /password:%s /y", "password：%s", "password=%%68%s"},
	"calls":   {`setPassword("%s")`, `user.setDbPassword('%s');`, `withPassword( "%s" )`},
	"letters": {`password = r"%s"`, `password = u'%s'`, `password: b"%s"`},
	"schemes": {"bearer %s", "Authorization Bearer %s", "authorization=Bearer%%20%s"},
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

// What stands in the same places and is no secret.
func TestWhatIsGivenToOtherNamesStays(t *testing.T) {
	for _, same := range []string{
		"password:\n  type: string\n", "password:\n  required, and long enough\n", "token:\n  keyword2\n", "password:\nuser: somebody9\n", "switch x {\ncase password:\n\tcontinue\n", "\tcase \"user\",\n\t\t\"password\":\n\t\tcontinue\n",
		"secrets:\n  - database-login\n  - db_password\n", "token: |\n  a word of a language\n", "- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef:\n      name: database1\n", "- name: DB_PASSWORD\n  value: $(OTHER_ONE)\n",
		`{"password":["required","string"]}`, `{"tokens":["identifier","keyword"]}`, `{"password":{"type":"string1"}}`, `protobuf:"bytes,2,opt,name=password,proto3"`, "name, password, and the address2", "f(password,value2nd)",
		"| password | string |", "| `password` | the password of user1 |", "password\tstring\tof the account", "kpasswd\t\t464/tcp", "token -> expression", "case token => parse2", "password := pass2nd", "token := next2",
		`getToken("identifier")`, `setPassword(newPassword)`, `addToken("identifier")`, "bearer of news", "Bearer authentication", "password = reader", `\u0070rogram is "a word"`, "<password></password>", `<span class="token">identifier</span>`,
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
