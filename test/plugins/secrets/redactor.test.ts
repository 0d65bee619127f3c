import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { maskedStart } from "../../../plugins/secrets/redactor.js";
import { Secret } from "../../../plugins/secrets/secret.js";
import { knowing } from "./redactor-secrets.js";

describe("a known value", () => {
  test("is masked wherever it stands", () => {
    const redactor = knowing("hunter2!");
    expect(redactor.redact("hunter2! is it, or hunter2!")).toBe("*** is it, or ***");
    expect(redactor.redact("xhunter2!x")).toBe("x***x");
    expect(redactor.redact("hunter2 is another")).toBe("hunter2 is another");
  });

  test("is masked from when it is known on", () => {
    const redactor = knowing("first one");
    expect(redactor.redact("first one, second one")).toBe("***, second one");
    redactor.know("second one");
    expect(redactor.redact("first one, second one")).toBe("***, ***");
  });

  test("may be known twice", () => {
    const redactor = knowing("hunter2", "hunter2", ["hunter2"]);
    expect(redactor.redact("hunter2, hunter2")).toBe("***, ***");
  });

  test("may itself look like a mask", () => {
    expect(knowing("****").redact("a ***** b *** c")).toBe("a *** b *** c");
  });

  test("of fewer than four characters is left alone", () => {
    const redactor = knowing(
      "abc",
      123,
      "",
      [],
      {},
      null,
      undefined,
      true,
      false,
      Number.NaN,
      Number.POSITIVE_INFINITY,
    );
    redactor.know(Buffer.from("abc"));
    const text = "abc 123 YWJj 616263 true false NaN Infinity null undefined";
    expect(redactor.redact(text)).toBe(text);
  });

  test("is masked in every encoding", () => {
    // Of 21 bytes, so that its base64 ends with it.
    const secret = `pa"ß/ w'ör\n~*\u001b😀?`;
    const redactor = knowing(secret);
    const bytes = Buffer.from(secret);
    const json = JSON.stringify(secret).slice(1, -1);
    const ascii = json.replace(/[^ -~]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
    const component = encodeURIComponent(secret);
    const encodings = [
      secret,
      json,
      JSON.stringify(json).slice(1, -1),
      ascii,
      ascii.replace(/(?<=\\u)[0-9a-f]+/g, (digits) => digits.toUpperCase()),
      JSON.stringify(ascii).slice(1, -1),
      inspect(secret).slice(1, -1),
      inspect(`"\`${secret}`).slice("'\"`".length, -1),
      bytes.toString("hex"),
      bytes.toString("hex").toUpperCase(),
      bytes.toString("base64"),
      bytes.toString("base64url"),
      component,
      component.replace(/%../g, (code) => code.toLowerCase()),
      component.replaceAll("%20", "+"),
      component.replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`),
      new URLSearchParams([["", secret]]).toString().slice("=".length),
      encodeURI(secret),
      bytes.toString("latin1").replace(/[^A-Za-z0-9]/g, (one) => `%${one.charCodeAt(0).toString(16).padStart(2, "0")}`),
    ];
    expect(encodings.filter((encoded) => redactor.redact(`(${encoded})`) !== "(***)")).toEqual([]);
  });

  test("is masked in JSON with upper-case digits, where what only looks like an escape keeps its own", () => {
    expect(JSON.stringify("\\u00ab\u001b")).toBe('"\\\\u00ab\\u001b"');
    expect(knowing("\\u00ab\u001b").redact('"\\\\u00ab\\u001B"')).toBe('"***"');
  });

  test("is masked in what util.inspect prints of a long one", () => {
    const secret = "it is\n \u001b a long one\n".repeat(1000);
    const all = { breakLength: Number.POSITIVE_INFINITY, maxStringLength: null };
    expect(knowing(secret).redact(inspect([secret], all))).toBe("[ '***' ]");
  });

  test("is masked in base64 of something longer, and the longer rest is not", () => {
    const basic = (user: string) => Buffer.from(`${user}:hunter2-hunter2:x`).toString("base64");
    const redactor = knowing("hunter2-hunter2");
    // The adjacent characters that hold some of its bits are masked too, although they also hold bits of the colons.
    expect(basic("ab")).toBe("YWI6aHVudGVyMi1odW50ZXIyOng=");
    expect(redactor.redact(basic("ab"))).toBe("YWI6***Ong=");
    expect(basic("ada")).toBe("YWRhOmh1bnRlcjItaHVudGVyMjp4");
    expect(redactor.redact(basic("ada"))).toBe("YWRhO***p4");
    expect(basic("root")).toBe("cm9vdDpodW50ZXIyLWh1bnRlcjI6eA==");
    expect(redactor.redact(basic("root"))).toBe("cm9vdD***6eA==");
  });

  test("is masked in a URL that it is the password of", () => {
    const url = new URL("postgres://admin@db.example.com/app");
    url.password = "p@ss $word%1/+";
    expect(knowing("p@ss $word%1/+").redact(`connects to ${url.href}`)).toBe(
      "connects to postgres://admin:***@db.example.com/app",
    );
  });

  test("with half a surrogate pair does not throw, and is masked also as a stream would print it", () => {
    const secret = "half \ud83d a pair";
    const redactor = knowing(secret, "\udc00\udc00\udc00\udc00");
    const printed = [secret, Buffer.from(secret).toString(), JSON.stringify(secret), inspect(secret)];
    expect(printed.map((text) => redactor.redact(text))).toEqual(["***", "***", '"***"', "'***'"]);
  });
});

describe("a value of several lines", () => {
  const key = '-----BEGIN KEY-----\r\n  MIIE+/= "é"\r\n\r\nabc\r\n-----END KEY-----\n';

  test("is masked as a whole", () => {
    expect(knowing(key).redact(`key: ${key}!`)).toBe("key: ***!");
    expect(knowing(key).redact(JSON.stringify({ key }))).toBe('{"key":"***"}');
  });

  test("is masked line by line, but for lines of fewer than four characters", () => {
    const lines = [
      "-----END KEY-----",
      'MIIE+/= "é"',
      "abc",
      JSON.stringify('MIIE+/= "é"'),
      "MIIE%2B%2F%3D+%22%C3%A9%22",
    ];
    expect(knowing(key).redact(lines.join("\n"))).toBe('***\n***\nabc\n"***"\n***');
  });

  test("is masked where it is indented in another way", () => {
    expect(knowing(key).redact(key.replaceAll("\r\n", "\n\t\t"))).toBe("***\n\t\t  ***\n\t\t\n\t\tabc\n\t\t***\n");
  });

  test("that has only one is masked without the end of the line", () => {
    expect(knowing("hunter2\n").redact("is it hunter2?")).toBe("is it ***?");
  });
});

describe("the beginning of a text", () => {
  const { unencrypted } = new Secret('start-"canary"-of-a-message');

  test.each([
    ["as it is", unencrypted],
    ["in JSON", JSON.stringify(unencrypted).slice(1, -1)],
    ["in base64", Buffer.from(unencrypted).toString("base64").replace(/=+$/, "")],
    ["in hex", Buffer.from(unencrypted).toString("hex")],
  ])("has no part of a secret that the cut goes through, %s", (_how, form) => {
    const text = `<<${form}>>${"<".repeat(100)}`;
    for (let most = 2; most <= 2 + form.length; most++) expect(["<<", "<<***"]).toContain(maskedStart(text, most));
    expect(maskedStart(text, form.length + 5)).toBe("<<***>><");
  });

  test("is the text itself where that is short enough", () => {
    expect([maskedStart("<<<<", 4), maskedStart("<<<<>", 4)]).toEqual(["<<<<", "<<<<"]);
  });
});
