/** The ways in which an error carries a text, each found in some library. */

class Answer {
  readonly body: unknown;
  constructor(body: unknown) {
    this.body = body;
  }
}

class Veiled extends Error {
  readonly #text: string;
  constructor(text: string) {
    super();
    this.#text = text;
  }
  override get message(): string {
    return this.#text;
  }
}

class Spoken {
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  toString(): string {
    return this.#text;
  }
}

const oops = (more: object): Error => Object.assign(new Error("oops"), more);

function trapped(text: string): Error {
  const error = oops({ [Symbol.for("kSecret")]: text, hint: text });
  return Object.defineProperty(error, "trap", {
    enumerable: true,
    get() {
      throw new Error(text);
    },
  });
}

function circular(text: string): Error {
  const error = new Error("oops", { cause: new Error("why", { cause: text }) });
  return Object.assign(error, {
    self: error,
    deep: { a: { b: { c: { d: { e: { f: { g: { h: { i: [text] } } } } } } } } },
  });
}

export const shapes: Readonly<Record<string, (text: string) => unknown>> = {
  message: (text) => new Error(`no ${text}!`),
  cause: (text) => new Error("oops", { cause: new TypeError(text) }),
  aggregate: (text) => new AggregateError([new Error(text), text], `both ${text}`),
  stderr: (text) => oops({ stderr: text, stdout: Buffer.from(text), output: [null, new TextEncoder().encode(text)] }),
  view: (text) =>
    oops({ body: new Uint8Array(Buffer.from(text)).buffer, view: new DataView(Buffer.from(text).buffer) }),
  config: (text) => oops({ config: { headers: { authorization: `Bearer ${text}` }, data: JSON.stringify({ text }) } }),
  encoded: (text) =>
    oops({ auth: Buffer.from(`me:${text}`).toString("base64"), url: `http://x/?q=${encodeURIComponent(text)}` }),
  string: (text) => text,
  object: (text) => ({ text, toString: () => text }),
  spoken: (text) => new Spoken(text),
  dom: (text) => new DOMException(text, "AbortError"),
  veiled: (text) => new Veiled(text),
  map: (text) => oops({ map: new Map<unknown, unknown>([[text, { text: new Set([text]) }]]) }),
  instance: (text) => oops({ response: new Answer({ inner: new Answer(Buffer.from(text)), list: [text] }) }),
  headers: (text) =>
    oops({ headers: new Headers({ "x-a": Buffer.from(text).toString("hex") }), query: new URLSearchParams({ text }) }),
  key: (text) => oops({ pools: { [text]: 1 } }),
  function: (text) => oops({ call: Object.assign(() => {}, { text }), later: Promise.resolve({ deep: { text } }) }),
  trapped,
  circular,
};
