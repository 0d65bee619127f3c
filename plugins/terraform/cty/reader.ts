import { EngineError, type ErrorCode } from "../../../core/base/index.js";
import { numberOfInteger } from "../../internal/text/decimal.js";
import { maskedStart } from "../../secrets/redactor.js";

/** Kind of the next value in the bytes. */
export type Kind = "nil" | "bool" | "number" | "string" | "binary" | "array" | "map" | "extension" | "nothing";

/** Reads MessagePack, value by value. Rejects a truncated value before it allocates memory for it. */
export class Reader {
  readonly #bytes: Buffer;
  readonly #problem: (what: string) => Error;
  #at = 0;

  constructor(bytes: Uint8Array, problem: (what: string) => Error) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#problem = problem;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  peek(): Kind {
    const code = this.#bytes[this.#at];
    return code === undefined ? "nothing" : kindOf(code);
  }

  nil(): void {
    this.#at++;
  }

  bool(): boolean {
    return this.#unsigned(1) === 0xc3;
  }

  number(): number | bigint {
    const code = this.#unsigned(1);
    if (code < 0x80) return code;
    if (code >= 0xe0) return code - 0x100;
    const at = this.#take(NUMBER_SIZES[code - 0xca] ?? 0);
    return this.#numberAt(code, at);
  }

  string(): string {
    const code = this.#unsigned(1);
    const length = code < 0xc0 ? code & 0x1f : this.#unsigned(2 ** (code - 0xd9));
    const at = this.#take(length);
    return this.#bytes.toString("utf8", at, at + length);
  }

  binary(): Uint8Array {
    return this.#copy(this.#unsigned(2 ** (this.#unsigned(1) - 0xc4)));
  }

  /** Number of the elements that follow: never more than there are bytes. */
  array(): number {
    const code = this.#unsigned(1);
    return this.#count(code < 0xc0 ? code & 0x0f : this.#unsigned(code === 0xdc ? 2 : 4));
  }

  /** Number of the pairs that follow: never more than there are bytes. */
  map(): number {
    const code = this.#unsigned(1);
    return this.#count(code < 0xc0 ? code & 0x0f : this.#unsigned(code === 0xde ? 2 : 4));
  }

  extension(): { readonly type: number; readonly bytes: Uint8Array } {
    const code = this.#unsigned(1);
    const length = code >= 0xd4 ? 2 ** (code - 0xd4) : this.#unsigned(2 ** (code - 0xc7));
    const type = this.#unsigned(1);
    return { type, bytes: this.#copy(length) };
  }

  /** Skips the next value. */
  skip(): void {
    for (let left = 1; left > 0; left--) {
      const kind = this.peek();
      if (kind === "nothing") throw this.#problem("ends too early");
      if (kind === "array") left += this.array();
      else if (kind === "map") left += 2 * this.map();
      else this[kind]();
    }
  }

  #numberAt(code: number, at: number): number | bigint {
    const bytes = this.#bytes;
    switch (code) {
      case 0xca:
        return bytes.readFloatBE(at);
      case 0xcb:
        return bytes.readDoubleBE(at);
      case 0xcf:
        return numberOfInteger(bytes.readBigUInt64BE(at));
      case 0xd3:
        return numberOfInteger(bytes.readBigInt64BE(at));
      default:
        return code < 0xd0 ? bytes.readUIntBE(at, this.#at - at) : bytes.readIntBE(at, this.#at - at);
    }
  }

  #unsigned(size: number): number {
    return this.#bytes.readUIntBE(this.#take(size), size);
  }

  #copy(length: number): Uint8Array {
    const at = this.#take(length);
    return new Uint8Array(this.#bytes.subarray(at, at + length));
  }

  #count(count: number): number {
    if (count > this.#bytes.length - this.#at) throw this.#problem("ends too early");
    return count;
  }

  #take(length: number): number {
    const at = this.#at;
    if (length > this.#bytes.length - at) throw this.#problem("ends too early");
    this.#at += length;
    return at;
  }
}

/** Bytes of a number, by its code from 0xca: two floats, four unsigned and four signed integers. */
const NUMBER_SIZES = [4, 8, 1, 2, 4, 8, 1, 2, 4, 8];

function kindOf(code: number): Kind {
  if (code < 0x80 || code >= 0xe0) return "number";
  if (code < 0x90) return "map";
  if (code < 0xa0) return "array";
  if (code < 0xc0) return "string";
  return KINDS[code - 0xc0] ?? "nothing";
}

/** From 0xc0 to 0xdf. The second is the one code that MessagePack never uses. */
const KINDS: readonly Kind[] = [
  "nil",
  "nothing",
  ...Array<Kind>(2).fill("bool"),
  ...Array<Kind>(3).fill("binary"),
  ...Array<Kind>(3).fill("extension"),
  ...Array<Kind>(10).fill("number"),
  ...Array<Kind>(5).fill("extension"),
  ...Array<Kind>(3).fill("string"),
  ...Array<Kind>(2).fill("array"),
  ...Array<Kind>(2).fill("map"),
];

/** Maximum levels of a value or a type. The deepest of known providers has sixty. */
const DEEPEST = 256;

/** Tracks the position of a codec in a value, so that errors give the path. */
export class Walk {
  readonly #code: ErrorCode;
  readonly #steps: (string | number)[] = [];
  /** True if an object has to have each member of its type, and no other one. */
  readonly isWhole: boolean;

  /** @param code of the errors: it says whose fault a misfit is */
  constructor(code: ErrorCode, { isWhole = false }: { readonly isWhole?: boolean } = {}) {
    this.#code = code;
    this.isWhole = isWhole;
  }

  enter(step: string | number): void {
    this.#steps.push(step);
    if (this.#steps.length > DEEPEST) throw this.problem(`is nested deeper than ${DEEPEST} levels`);
  }

  leave(): void {
    this.#steps.pop();
  }

  /** Returns an error with the path. @param what the problem, as the end of a sentence about the value */
  problem(what: string, cause?: unknown): EngineError {
    return new EngineError(this.#code, `${this.#path()} ${what}.`, { cause });
  }

  #path(): string {
    if (this.#steps.length === 0) return "The value";
    return `The value at ${shownPath(this.#steps)}`;
  }
}

const NAME = /^[\p{L}_][\p{L}\p{N}_-]*$/u;

/** Number of steps that are shown from each end of a long path. */
const SHOWN = 10;

/** Maximum shown characters of a name. */
const LONGEST = 100;

/** Formats a path, e.g. `rule[0].tags["a b"]`. */
export function shownPath(steps: readonly (string | number)[]): string {
  if (steps.length > 2 * SHOWN) return `${shownPath(steps.slice(0, SHOWN))}…${shownPath(steps.slice(-SHOWN))}`;
  const parts = steps.map((step) =>
    typeof step === "string" && step.length <= LONGEST && NAME.test(step) ? `.${step}` : `[${keyText(step)}]`,
  );
  return parts.join("").replace(/^\./, "");
}

function keyText(key: string | number): string {
  return typeof key === "string" && key.length > LONGEST
    ? `${JSON.stringify(maskedStart(key, LONGEST))}…`
    : JSON.stringify(key);
}
