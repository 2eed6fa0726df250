package redact

import "github.com/pausetui/pausetui/internal/lazyregexp"

// form is a kind of key that does not begin with what it is known by.
type form struct {
	anchor, kind string   // the anchor in lower case
	before       int      // bytes of a key before the anchor
	after        int      // bytes that are looked at after the anchor, if not maxForm
	last         *charset // what may stand before the anchor, if a key begins before it
	of           *lazyregexp.Regexp
}

// maxForm bounds what is looked at after an anchor, in bytes.
const maxForm = 320

var (
	digit    = set("09", "")
	lowDigit = set("az09", "")
)

// forms are those that services document. The group of an expression, if it has one, is
// the secret.
var forms = []form{
	{"q~", "Azure client secret", 4, 36, digit, lazyregexp.New(`\b[\w~.]{3}\dQ~[\w~.-]{31,34}`)},
	{"pat", "Airtable token", 0, 0, nil, lazyregexp.New(`^pat[A-Za-z0-9]{14}\.[0-9a-f]{64}\b`)},
	{".atlasv1.", "Terraform token", 14, 72, alphaNum, lazyregexp.New(`\b[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}`)},
	{"hooks.slack.com/", "Slack webhook", 0, 0, nil, lazyregexp.New(`^(?i:hooks\.slack\.com)/(?:services|workflows|triggers)/([\w+/]{20,100})`)},
	{"/api/webhooks/", "Discord webhook", 0, 0, nil, lazyregexp.New(`^/api/webhooks/\d{15,22}/([\w-]{40,100})`)},
	{"webhook.office.com/", "Teams webhook", 0, 0, nil, lazyregexp.New(`^webhook\.office\.com/webhookb2/([\w@/-]{40,250})`)},
	{"hooks.zapier.com/", "Zapier webhook", 0, 0, nil, lazyregexp.New(`^hooks\.zapier\.com/hooks/catch/([\w/]{10,60})`)},
	{"-us", "Mailchimp key", 32, 4, hexDigit, lazyregexp.New(`\b[0-9a-f]{32}-us\d{1,2}\b`)},
	{":aa", "Telegram token", 10, 36, digit, lazyregexp.New(`\b\d{8,10}:AA[\w-]{32,33}\b`)},
	{"aaaaaaaaaa", "Dropbox token", 11, 44, lowDigit, lazyregexp.New(`\b[a-z0-9]{11}AAAAAAAAAA[\w=-]{43}`)},
}

// form finds a key around an anchor.
func (s *scan) form(f form, end int) {
	at := end - len(f.anchor)
	if f.before > 0 && (at == 0 || !f.last[s.text[at-1]]) {
		return // within a run of an anchor's letter, say: a search for each of them would take long
	}
	from, after := max(at-f.before, 0), f.after
	if after == 0 {
		after = maxForm
	}
	near := s.text[from:min(end+after, len(s.text))]
	m := f.of.FindStringSubmatchIndex(near)
	if m == nil || from+m[1] < end {
		return
	}
	s.add(from+m[len(m)-2], from+m[len(m)-1], f.kind)
}
