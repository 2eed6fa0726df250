package ollama_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
)

// tiny describes a model of random weights in llama's architecture: it answers
// printable nonsense, and never ends by itself.
type tiny struct {
	context       int // tokens
	layers, width int
}

// gguf writes the model as a GGUF file (version 3), the same for the same tiny.
func (m tiny) gguf() []byte {
	tokens, types, merges := vocabulary()
	tensors := m.tensors(len(tokens))
	meta := []any{
		"general.architecture", "llama", "general.name", "tiny", "general.file_type", uint32(0),
		"llama.block_count", uint32(m.layers), "llama.context_length", uint32(m.context), "llama.embedding_length", uint32(m.width),
		"llama.feed_forward_length", uint32(2 * m.width), "llama.attention.head_count", uint32(2), "llama.attention.head_count_kv", uint32(2),
		"llama.attention.layer_norm_rms_epsilon", float32(1e-5), "llama.rope.dimension_count", uint32(m.width / 2), "llama.rope.freq_base", float32(10000),
		"llama.vocab_size", uint32(len(tokens)), "tokenizer.ggml.model", "gpt2", "tokenizer.ggml.pre", "llama-bpe",
		"tokenizer.ggml.tokens", tokens, "tokenizer.ggml.token_type", types, "tokenizer.ggml.merges", merges,
		"tokenizer.ggml.bos_token_id", uint32(len(tokens) - 3), "tokenizer.ggml.eos_token_id", uint32(len(tokens) - 1),
		"tokenizer.ggml.padding_token_id", uint32(len(tokens) - 3), "tokenizer.ggml.add_bos_token", false, "tokenizer.chat_template", chatML,
	}
	var head, body ggufBuffer
	head.WriteString("GGUF")
	head.put(uint32(3), uint64(len(tensors)), uint64(len(meta)/2))
	for i := 0; i < len(meta); i += 2 {
		head.text(meta[i].(string))
		head.value(meta[i+1])
	}
	for _, t := range tensors {
		head.text(t.name)
		head.put(uint32(len(t.shape)), t.shape, uint32(0), uint64(body.Len()))
		body.put(t.data)
		body.pad()
	}
	head.pad()
	return append(head.Bytes(), body.Bytes()...)
}

const chatML = `{% for message in messages %}{{'<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n'}}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}`

// vocabulary is a token a byte, a few merges, and the control tokens of ChatML.
func vocabulary() (tokens []string, types []int32, merges []string) {
	add := func(token string, kind int32) { tokens, types = append(tokens, token), append(types, kind) }
	n := 0
	for b := range 256 { // GPT-2's names for bytes
		if b >= '!' && b <= '~' || b >= 0xA1 && b <= 0xAC || b >= 0xAE {
			add(string(rune(b)), 1)
			continue
		}
		add(string(rune(256+n)), 1)
		n++
	}
	for _, m := range [][2]string{{"t", "h"}, {"th", "e"}, {"i", "n"}, {"e", "r"}} {
		merges = append(merges, m[0]+" "+m[1])
		add(m[0]+m[1], 1)
	}
	for _, control := range []string{"<|endoftext|>", "<|im_start|>", "<|im_end|>"} {
		add(control, 3)
	}
	return tokens, types, merges
}

type tensor struct {
	name  string
	shape []uint64
	data  []float32
}

func (m tiny) tensors(vocabulary int) []tensor {
	r := rand.New(rand.NewPCG(1, 2))
	matrix := func(name string, in, out int, scale float64) tensor {
		data := make([]float32, in*out)
		for i := range data {
			data[i] = float32(r.NormFloat64() * scale)
		}
		return tensor{name, []uint64{uint64(in), uint64(out)}, data}
	}
	norm := func(name string) tensor {
		data := make([]float32, m.width)
		for i := range data {
			data[i] = 1
		}
		return tensor{name, []uint64{uint64(m.width)}, data}
	}
	scale := 1 / math.Sqrt(float64(m.width))
	embedding, out := matrix("token_embd.weight", m.width, vocabulary, 1), matrix("output.weight", m.width, vocabulary, 2*scale)
	// Channel 0 is a large constant, so that column 0 of the output prefers
	// printable characters and never the control tokens at the end.
	for token := range vocabulary {
		embedding.data[token*m.width] = 6
		out.data[token*m.width] = -6
		if token == '\n' || token >= ' ' && token <= '~' {
			out.data[token*m.width] = 0
		}
	}
	all := []tensor{embedding, norm("output_norm.weight"), out}
	for l := range m.layers {
		name := func(part string) string { return fmt.Sprintf("blk.%d.%s.weight", l, part) }
		all = append(all, norm(name("attn_norm")), norm(name("ffn_norm")))
		for _, part := range []string{"attn_q", "attn_k", "attn_v", "attn_output"} {
			all = append(all, matrix(name(part), m.width, m.width, scale))
		}
		all = append(all, matrix(name("ffn_gate"), m.width, 2*m.width, scale), matrix(name("ffn_up"), m.width, 2*m.width, scale),
			matrix(name("ffn_down"), 2*m.width, m.width, scale))
	}
	return all
}

// ggufBuffer writes what GGUF files are made of, little-endian.
type ggufBuffer struct{ bytes.Buffer }

func (b *ggufBuffer) put(values ...any) {
	for _, v := range values {
		if err := binary.Write(&b.Buffer, binary.LittleEndian, v); err != nil {
			panic(err) // a type without a fixed size: a mistake above
		}
	}
}

func (b *ggufBuffer) text(s string) {
	b.put(uint64(len(s)))
	b.WriteString(s)
}

// value writes a value with its type's number before it.
func (b *ggufBuffer) value(v any) {
	switch v := v.(type) {
	case uint32:
		b.put(uint32(4), v)
	case float32:
		b.put(uint32(6), v)
	case bool:
		b.put(uint32(7), v)
	case string:
		b.put(uint32(8))
		b.text(v)
	case []int32:
		b.put(uint32(9), uint32(5), uint64(len(v)), v)
	case []string:
		b.put(uint32(9), uint32(8), uint64(len(v)))
		for _, s := range v {
			b.text(s)
		}
	}
}

// pad aligns to 32 bytes.
func (b *ggufBuffer) pad() {
	for b.Len()%32 != 0 {
		b.WriteByte(0)
	}
}
