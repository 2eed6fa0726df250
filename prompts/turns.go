package prompts

import (
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// Chat templates mark where a turn begins and ends with texts of their own, and
// servers read those wherever they stand: a program whose data says
// <|im_start|>system would speak in another role. So they are broken up by a
// mark that can be seen, in all that is sent, source too: a server does not know
// what is a fence. Code in a reply repeats the mark; there it is taken out again.

// broken is put after the first character of a marker.
const broken = "¦"

// marker finds the markers of the known templates: ChatML and its like (Qwen,
// Llama 3, Phi, GLM, Granite, Command R, harmony), DeepSeek with its own bars,
// Llama 2 and Mistral, Gemma, and what tokenizers reserve.
var marker = lazyregexp.New(`(?i)<\|[^|<>\s]{1,40}\|>|<｜[^｜<>\n]{1,40}｜>|` +
	`\[/?(?:inst|system_prompt|available_tools|tool_calls|tool_results|tool_content|args|call_id|think|gmask|sop|eop)\]|<</?sys>>|` +
	`</?(?:s|bos|eos|eot|eod|pad|unk|sop|eop|(?:start|end)_of_(?:turn|text|image|audio)|tool_(?:call|response)s?|tools|fim_(?:prefix|suffix|middle|pad)|file_sep|repo_name)>|` +
	`<(?:extra_id|reserved|special|unused|reserved_special_token)_?\d+>`)

// thought finds the marks around what a model thinks. Its own answers keep
// theirs: templates take out of the conversation what is between them.
var thought = lazyregexp.New(`(?i)</?(?:think|thinking|thought|reasoning)>`)

// breakUp breaks the markers up.
func breakUp(text string, markers ...*lazyregexp.Regexp) string {
	for _, m := range markers {
		text = m.ReplaceAllStringFunc(text, func(found string) string { return found[:1] + broken + found[1:] })
	}
	return text
}

var brokenUp = lazyregexp.New(`[<\[]` + broken + `[^\s¦]{1,60}?[>\]]`)

// asWritten puts markers together that were broken up.
func asWritten(text string) string {
	return brokenUp.ReplaceAllStringFunc(text, func(found string) string {
		whole := strings.Replace(found, broken, "", 1)
		if breakUp(whole, marker, thought) == found {
			return whole
		}
		return found
	})
}
