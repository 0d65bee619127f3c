import { describe, expect, test } from "vitest";
import { knowing } from "./redactor-secrets.js";

function masked(value: unknown, text: string): string {
  return knowing(value).redact(text);
}

const bytes = Buffer.from("bytes of a key");
const inBuffer = new Uint8Array([1, 2, ...bytes, 3]).buffer;

describe("of the value of a secret, what is masked is", () => {
  test.each<[string, unknown, string, string]>([
    ["a text", "true", "it is true", "it is ***"],
    ["a number", 4711.5, '{"a":4711.5}', '{"a":***}'],
    ["a negative number", -12345, "-12345 12345", "*** 12345"],
    ["a bigint", 12345678901234567890n, "n 12345678901234567890", "n ***"],
    ["a Buffer that is text", bytes, `${bytes} ${bytes.toString("hex")}`, "*** ***"],
    ["binary data", Buffer.from([0xff, 0xfe, 0xfd, 0x80]), "fffefd80 //79 //79gA== %FF%FE%FD%80", "*** //79 ***== ***"],
    ["an ArrayBuffer", inBuffer, Buffer.from(inBuffer).toString("hex"), "***"],
    ["the part of a buffer that a view shows", new DataView(inBuffer, 2, 14), "bytes of a key", "***"],
    ["the part of a buffer that a Uint8Array shows", new Uint8Array(inBuffer, 2, 5), "bytes of", "*** of"],
    ["the bytes of a typed array", new Uint16Array([0x0102, 0xfffe]), "0201feff", "***"],
    ["a Date", new Date(0), "at 1970-01-01T00:00:00.000Z", "at ***"],
    ["the source of a RegExp", /x{1,5}y/g, "x{1,5}y", "***"],
    ["a registered symbol", Symbol.for("registered"), "registered", "***"],
    ["elements of an array", ["first", ["second"]], "first, second", "***, ***"],
    ["members of an object, without the keys", { password: "hunter2" }, "password: hunter2", "password: ***"],
    [
      "members of an object without a prototype",
      Object.assign(Object.create(null), { a: "hunter2" }),
      "hunter2",
      "***",
    ],
    ["elements of a Set", new Set(["first"]), "first", "***"],
    ["keys and values of a Map", new Map<unknown, unknown>([["first", ["second"]]]), "first second", "*** ***"],
    ["the message of an error", new TypeError("wrong key"), "TypeError: wrong key", "TypeError: ***"],
    ["the cause of an error", new Error("oops", { cause: "wrong key" }), "wrong key", "***"],
    ["what an error has beside", Object.assign(new Error("oops"), { response: "wrong key" }), "wrong key", "***"],
    ["the errors in an AggregateError", new AggregateError([new Error("wrong key")]), "wrong key", "***"],
  ])("%s", (_, value, text, expected) => {
    expect(masked(value, text)).toBe(expected);
  });

  test("a URL, and also by itself what it logs in with", () => {
    const url = new URL("https://some%20user:p%40ss-word@example.com/x");
    expect(masked(url, `to ${url}`)).toBe("to ***");
    expect(masked(url, "as some user with p@ss-word")).toBe("as *** with ***");
    expect(masked(url, "as some%20user with p%40ss-word to example.com")).toBe("as *** with *** to example.com");
  });

  test("a URL's password that is not percent-encoded", () => {
    expect(masked(new URL("https://me:50%off@example.com/"), "50%off")).toBe("***");
  });

  test("what is in a cycle, and however deep", () => {
    const cycle: Record<string, unknown> = { first: "first" };
    cycle.self = [cycle, new Map([[cycle, new Set([cycle, "second"])]])];
    expect(masked(cycle, "first second")).toBe("*** ***");
    let deep: unknown = "at the bottom";
    for (let depth = 0; depth < 100_000; depth++) deep = [deep];
    expect(masked(deep, "at the bottom")).toBe("***");
  });

  test("nothing of what has no text", () => {
    const text = "Invalid Date, () => {}, Symbol(local)";
    expect(masked([new Date(Number.NaN), () => {}, Symbol("local"), [], null, undefined], text)).toBe(text);
  });

  test("not the stack of an error, which is that of others, too", () => {
    const error = new Error("wrong key");
    expect(masked(error, error.stack ?? "")).toBe(error.stack?.replace("wrong key", "***"));
  });

  test("the value at the time of the call, whatever happens to it later", () => {
    const key = Buffer.from([0xff, 0xfe, 0xfd, 0x80]);
    const redactor = knowing(key);
    key.fill(0);
    expect(redactor.redact("fffefd80 00000000")).toBe("*** 00000000");
  });
});
