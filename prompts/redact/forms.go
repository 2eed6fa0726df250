package redact

import "github.com/pausetui/pausetui/internal/lazyregexp"

// form is a kind of key that does not begin with what it is known by.
type form struct {
	anchor, kind string // the anchor in lower case
	before       int    // bytes of a key before the anchor
	of           *lazyregexp.Regexp
}

// maxForm bounds what is looked at after an anchor, in bytes.
const maxForm = 320

// forms are those that services document. The group of an expression, if it has one, is
// the secret.
var forms = []form{
	{"q~", "Azure client secret", 4, lazyregexp.New(`\b[\w~.]{3}\dQ~[\w~.-]{31,34}`)},
	{"pat", "Airtable token", 0, lazyregexp.New(`^pat[A-Za-z0-9]{14}\.[0-9a-f]{64}\b`)},
	{".atlasv1.", "Terraform token", 14, lazyregexp.New(`\b[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}`)},
	{"hooks.slack.com/", "Slack webhook", 0, lazyregexp.New(`^(?i:hooks\.slack\.com)/(?:services|workflows|triggers)/([\w+/]{20,100})`)},
	{"/api/webhooks/", "Discord webhook", 0, lazyregexp.New(`^/api/webhooks/\d{15,22}/([\w-]{40,100})`)},
	{"webhook.office.com/", "Teams webhook", 0, lazyregexp.New(`^webhook\.office\.com/webhookb2/([\w@/-]{40,250})`)},
	{"hooks.zapier.com/", "Zapier webhook", 0, lazyregexp.New(`^hooks\.zapier\.com/hooks/catch/([\w/]{10,60})`)},
	{"-us", "Mailchimp key", 32, lazyregexp.New(`\b[0-9a-f]{32}-us\d{1,2}\b`)},
	{":aa", "Telegram token", 10, lazyregexp.New(`\b\d{8,10}:AA[\w-]{32,33}\b`)},
	{"aaaaaaaaaa", "Dropbox token", 11, lazyregexp.New(`\b[a-z0-9]{11}AAAAAAAAAA[\w=-]{43}`)},
}

// form finds a key around an anchor.
func (s *scan) form(f form, end int) {
	from := max(end-len(f.anchor)-f.before, 0)
	near := s.text[from:min(end+maxForm, len(s.text))]
	m := f.of.FindStringSubmatchIndex(near)
	if m == nil || from+m[1] < end {
		return
	}
	s.add(from+m[len(m)-2], from+m[len(m)-1], f.kind)
}
