import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { EngineError, redaction } from "../../core/base/index.js";

const SECRET = "hunter2";
const HEX = Buffer.from(SECRET).toString("hex");
const safe = redaction((text) => text.replaceAll(SECRET, "***").replaceAll(HEX, "***"));

const printed = (value: unknown): string =>
  [inspect(value, { depth: 20, showHidden: true }), `${value}`, value instanceof Error ? value.message : ""].join("\n");

class Veiled extends Error {
  override get message(): string {
    return `no ${SECRET}`;
  }
}

class Answer {
  readonly body = { deep: Buffer.from(SECRET) };
}

describe("an error that holds a secret", () => {
  test.each<[string, unknown, string]>([
    ["behind a getter of its class", new Veiled(), "no ***"],
    ["that a DOMException answers with", new DOMException(`no ${SECRET}`, "AbortError"), "no ***"],
    ["in a toString of what is no error", { toString: () => `no ${SECRET}` }, "no ***"],
    ["in bytes of an instance of any class", Object.assign(new Error("oops"), { response: new Answer() }), "oops"],
    [
      "in bytes that are no text",
      Object.assign(new Error("oops"), { body: Buffer.from(`\xff${SECRET}`, "latin1") }),
      "oops",
    ],
    [
      "in a Map, a Set and a key",
      Object.assign(new Error("oops"), { map: new Map([[SECRET, new Set([{ [SECRET]: 1 }])]]) }),
      "oops",
    ],
    [
      "on a function and in a promise",
      Object.assign(new Error("oops"), { f: Object.assign(() => {}, { x: SECRET }), p: Promise.resolve(SECRET) }),
      "oops",
    ],
  ])("%s shows none of it", (_what, error, rest) => {
    const told = printed(safe(error));
    expect(told).not.toContain(SECRET);
    expect(told).not.toContain("68 75 6e 74");
    expect(told).toContain(rest);
  });

  test("keeps its class, its code, and what has nothing to hide", () => {
    const request = new Answer();
    Object.assign(request, { body: "fine" });
    const error = Object.assign(new EngineError("FILE_EXISTS", SECRET, { fqn: "a/b/c" }), { request });
    expect(safe(error)).toBeInstanceOf(EngineError);
    expect(safe(error)).toMatchObject({ code: "FILE_EXISTS", message: "***", fqn: "a/b/c" });
    expect(Reflect.get(Object(safe(error)), "request")).toBe(request);
  });

  test("is the same copy each time, also where it is behind another one", () => {
    const error = new Error(SECRET);
    const around = new Error("oops", { cause: error });
    expect(Reflect.get(Object(safe(around)), "cause")).toBe(safe(error));
    expect(safe(safe(around))).toBe(safe(around));
  });

  test("is masked further once more has become known", () => {
    const words = [SECRET];
    const later = redaction((text) => words.reduce((shown, word) => shown.replaceAll(word, "***"), text));
    const error = new Error(`${SECRET} and swordfish`);
    expect(later(error)).toMatchObject({ message: "*** and swordfish" });
    words.push("swordfish");
    expect(later(error)).toMatchObject({ message: "*** and ***" });
  });

  test("whose members cannot be read is still reported", () => {
    const refuse = (): never => {
      throw new Error("no");
    };
    const proxy = new Proxy({}, { ownKeys: refuse, get: refuse });
    const error = Object.defineProperty(Object.assign(new Error(SECRET), { proxy }), "trap", {
      enumerable: true,
      get() {
        throw new Error("no");
      },
    });
    expect(safe(error)).toMatchObject({ message: "***" });
  });
});
