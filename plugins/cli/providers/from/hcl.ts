/** Blocks of HCL, and the text of their attributes. Tolerant: what it does not understand, it passes over. Pure. */

export interface HclBody {
  /** As they are written, e.g. `"~> 1.2"` with its quotation marks. */
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

/** The members of an object, as they are written. A text of anything else has none. */
export function hclObject(text: string): ReadonlyMap<string, string> {
  return text.startsWith("{") ? readHcl(text.slice(1)).attributes : new Map();
}

/** A text without an expression in it; undefined of everything else. */
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

  /** As far as the bracket that closes it, or to the end. In a file one that closes nothing is passed over. */
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

  /** To the end of its line, or of what it stands in. */
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

  /** Expressions in it may have strings of their own. */
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
