/** Tolerant parser for blocks of HCL and the text of their attributes. It skips syntax that it does not know. */

export interface HclBody {
  /** Source text of each value, e.g. `"~> 1.2"` with its quotation marks. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly blocks: readonly HclBlock[];
}

export interface HclBlock {
  readonly type: string;
  readonly labels: readonly string[];
  readonly body: HclBody;
}

export function readHcl(text: string): HclBody {
  return new Scanner(text).body();
}

/** Returns the members of an object as source texts; empty if the text is not an object. */
export function hclObject(text: string): ReadonlyMap<string, string> {
  return text.startsWith("{") ? readHcl(text.slice(1)).attributes : new Map();
}

/** Returns a string literal without expressions; undefined for any other text. */
export function hclText(text: string | undefined): string | undefined {
  return /^"((?:[^"\\$%]|\\.)*)"$/.exec(text?.trim() ?? "")?.[1];
}

const BLANK = /(?:\s|,|#.*|\/\/.*|\/\*[\s\S]*?\*\/)+/y;
const COMMENT = /#.*|\/\/.*|\/\*[\s\S]*?\*\//y;
/** Between the name of a block and its labels. */
const GAP = /(?:[ \t]|\/\*[\s\S]*?\*\/)+/y;
const NAME = /[\p{L}_][\p{L}\p{N}_-]*/uy;
const HEREDOC = /<<-?([\p{L}_][\p{L}\p{N}_-]*)[ \t]*\r?\n/uy;

class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads to the closing bracket or the end. At the top level of a file, an unmatched bracket is skipped. */
  body(isFile = true): HclBody {
    const attributes = new Map<string, string>();
    const blocks: HclBlock[] = [];
    for (;;) {
      this.#take(BLANK);
      const isClosed = this.#isPast("}") && !isFile;
      if (isClosed || this.#at >= this.#text.length) return { attributes, blocks };
      const name = this.#name();
      if (name === undefined) this.#at++;
      else this.#member(name, attributes, blocks);
    }
  }

  #member(name: string, attributes: Map<string, string>, blocks: HclBlock[]): void {
    const labels: string[] = [];
    for (;;) {
      this.#take(GAP);
      if (this.#isPast("=") || this.#isPast(":")) {
        attributes.set(name, this.#expression());
        return;
      }
      if (this.#isPast("{")) {
        blocks.push({ type: name, labels, body: this.body(false) });
        return;
      }
      const label = this.#name();
      if (label === undefined) return;
      labels.push(label);
    }
  }

  /** Reads to the end of the line, or to the bracket or comma that ends the expression. */
  #expression(): string {
    const from = this.#at;
    let depth = 0;
    while (this.#at < this.#text.length) {
      const character = this.#text.charAt(this.#at);
      const isEnd = depth === 0 && /[\n,)\]}]/.test(character);
      if (isEnd) break;
      if (character === '"') this.#string();
      else if (this.#take(COMMENT) === undefined && !this.#heredoc()) {
        if (/[([{]/.test(character)) depth++;
        if (/[)\]}]/.test(character)) depth--;
        this.#at++;
      }
    }
    return this.#text.slice(from, this.#at).trim();
  }

  #name(): string | undefined {
    if (this.#text.charAt(this.#at) !== '"') return this.#take(NAME);
    const from = this.#at + 1;
    this.#string();
    return this.#text.slice(from, this.#at - 1);
  }

  /** Skips a string. Expressions in it may contain other strings. */
  #string(): void {
    this.#at++;
    while (this.#at < this.#text.length) {
      if (this.#isPast('"')) return;
      if (this.#isPast("$${") || this.#isPast("%%{")) continue;
      if (this.#isPast("${") || this.#isPast("%{")) this.#template();
      else this.#at += this.#text.charAt(this.#at) === "\\" ? 2 : 1;
    }
  }

  #template(): void {
    for (let depth = 1; depth > 0 && this.#at < this.#text.length; ) {
      const character = this.#text.charAt(this.#at);
      if (character === '"') {
        this.#string();
        continue;
      }
      if (character === "{") depth++;
      if (character === "}") depth--;
      this.#at++;
    }
  }

  #heredoc(): boolean {
    HEREDOC.lastIndex = this.#at;
    const [start, word] = HEREDOC.exec(this.#text) ?? [];
    if (start === undefined || word === undefined) return false;
    const end = new RegExp(`^[ \\t]*${word}[ \\t]*\\r?$`, "mu");
    const rest = this.#text.slice(this.#at + start.length);
    const found = end.exec(rest);
    this.#at += start.length + (found ? found.index + found[0].length : rest.length);
    return true;
  }

  #isPast(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [];
    if (found === undefined) return undefined;
    this.#at += found.length;
    return found;
  }
}
