// A session of pausetui in lines, whose host is this script.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const program = `package main

import "fmt"

type index struct{ terms map[string]int }

func (x *index) add(term string) {
	x.terms[term]++
}

func main() {
	x := &index{}
	for i, term := range []string{"go", "delve"} {
		fmt.Println("round", i)
		x.add(term)
	}
}
`;

export class Session {
  constructor(pausetui, ...args) {
    this.dir = mkdtempSync(join(tmpdir(), "pausetui-npm-"));
    writeFileSync(join(this.dir, "go.mod"), "module example.org/sample\n\ngo 1.26\n");
    writeFileSync(join(this.dir, "main.go"), program);
    this.env = { ...process.env, XDG_STATE_HOME: join(this.dir, "state"), PWD: this.dir };
    this.text = "";
    this.seen = 0;
    this.child = spawn(pausetui, ["debug", "--plain", "--offline", ...args, "."], { cwd: this.dir, env: this.env });
    if (process.env.VERBOSE) this.child.stdout.pipe(process.stderr);
    for (const out of [this.child.stdout, this.child.stderr]) out.on("data", (d) => (this.text += d));
    this.over = new Promise((done) => this.child.on("exit", done));
  }

  // says waits for words that come after those waited for last.
  async says(words) {
    for (const late = Date.now() + 40000; ; await new Promise((r) => setTimeout(r, 20))) {
      const at = this.text.indexOf(words, this.seen);
      if (at >= 0) {
        this.seen = at + words.length;
        return;
      }
      assert.ok(Date.now() < late, `pausetui never said ${JSON.stringify(words)}:\n${this.text}`);
    }
  }

  types(line) {
    this.child.stdin.write(line + "\n");
  }

  async end() {
    this.types("quit");
    assert.equal(await this.over, 0, this.text);
    rmSync(this.dir, { recursive: true, force: true });
  }

  kill() {
    this.child.kill("SIGTERM");
  }
}
