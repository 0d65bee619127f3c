import { describe, expect, test } from "vitest";
import { createRedactor, type Redactor } from "../../../plugins/secrets/redactor.js";
import { cases, fc } from "../../helpers/checks/generated.js";
import { crowdedText, hidden, knowing, masked, overlappingSecrets, secret } from "./redactor-secrets.js";

/** Output for each chunk, and at the end. */
function streamed(redactor: Redactor, chunks: readonly (string | Uint8Array)[]): string[] {
  const stream = redactor.stream();
  return [...chunks.map((chunk) => stream.write(chunk)), stream.end()];
}

function cutInto<T extends string | Uint8Array>(
  whole: T,
  cuts: readonly number[],
  part: (from: number, to: number) => T,
): T[] {
  const places = [0, ...cuts.map((cut) => cut % (whole.length + 1)).sort((a, b) => a - b), whole.length];
  return places.slice(1).map((place, index) => part(places[index] ?? 0, place));
}

const cuts = fc.array(fc.nat({ max: 10_000 }), { maxLength: 12 });

describe("the output that arrives in chunks", () => {
  test("is given out at once where no secret can begin at its end", () => {
    expect(streamed(knowing("hunter2"), ["hello\n", "who?\n", "is it you?"])).toEqual([
      "hello\n",
      "who?\n",
      "is it you?",
      "",
    ]);
  });

  test("is held back from where a secret may begin, and no earlier", () => {
    expect(streamed(knowing("hunter2"), ["it is h", "unt", "er", "2.", "x hun", "ger, h"])).toEqual([
      "it is ",
      "",
      "",
      "***.",
      "x ",
      "hunger, ",
      "h",
    ]);
  });

  test("has one mask where a match goes on in the next one that is found", () => {
    // First "abcd" may be complete; then "cdef" begins in it, then "efgh"; after that comes one more.
    expect(streamed(knowing("abcd", "cdef", "efgh"), ["-abcd", "e", "f", "gh", "abcd", "x"])).toEqual([
      "-***",
      "",
      "",
      "",
      "",
      "",
      "x",
    ]);
  });

  test("is masked at once where a match is complete, though it may still become longer", () => {
    expect(streamed(knowing("pass", "password"), ["a pass", "wor", "n"])).toEqual(["a ***", "", "wor", "n"]);
  });

  test("is masked where a secret is cut inside a character", () => {
    const bytes = Buffer.from("a pässwörd 😀!");
    const chunks = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
    expect(streamed(knowing("pässwörd 😀"), chunks).join("")).toBe("a ***!");
  });

  test("may come as text and as bytes", () => {
    expect(streamed(knowing("pässwörd"), ["a päss", Buffer.from("wörd"), Buffer.from([0xc3]), "!"]).join("")).toBe(
      "a ***\ufffd!",
    );
  });

  test("is masked with what becomes known meanwhile", () => {
    const redactor = createRedactor();
    const stream = redactor.stream();
    expect(stream.write("first second ")).toBe("first second ");
    redactor.know("second");
    expect(stream.write("first second seco")).toBe("first *** ");
    redactor.know("seco1234");
    expect(stream.write("1234 third.")).toBe("*** third.");
    expect(stream.end()).toBe("");
  });

  test("is as it was where nothing is known", () => {
    expect(streamed(createRedactor(), ["\ufeffa", "", Buffer.from("é")])).toEqual(["\ufeffa", "", "é", ""]);
  });

  test("is another one after the end", () => {
    const stream = knowing("abcd").stream();
    expect([stream.write("xabc"), stream.end(), stream.write("dabcd"), stream.end()]).toEqual(["", "xabc", "d***", ""]);
    expect([stream.write("abcd"), stream.end()]).toEqual(["***", ""]);
  });
});

describe("a character of base64 beside a secret, which may hold bits of it,", () => {
  const [one, other] = ["hunter2-hunter2", "\u0000\u007f\u0000\u007f45678901\u007f~\u0000"];
  const redactor = knowing(one, other);
  const inBase64 = (before: string, behind: string, secret = one): string =>
    Buffer.from(before + secret + behind).toString("base64");

  test.each(["", "a", "ab", "abc", "abcd"])("is masked with it, however it is cut, behind %j", (before) => {
    for (const behind of ["", "x", "xy", "xyz"]) {
      const text = `-${inBase64(before, behind)}-`;
      const whole = redactor.redact(text);
      // The masked text does not show which of the two secrets it was.
      expect(redactor.redact(`-${inBase64(before, behind, other)}-`)).toBe(whole);
      for (let cut = 0; cut <= text.length; cut++) {
        for (let next = cut; next <= text.length; next++) {
          const chunks = [text.slice(0, cut), text.slice(cut, next), text.slice(next)];
          expect(streamed(redactor, chunks).join("")).toBe(whole);
        }
      }
    }
  });

  test("is masked on both sides, and no other is", () => {
    expect(redactor.redact(`"${inBase64("ada", ":x")}"`)).toBe('"YWRh***Ong="');
    expect(redactor.redact(`"${inBase64("root:", ":")}"`)).toBe('"cm9vdD***6"');
    expect(redactor.redact("hunter2-hunter2x")).toBe("***x");
  });
});

describe("however it is cut", () => {
  test("the whole is what it would be in one piece", () => {
    const encode = fc.constantFrom<(text: string) => string>(
      (text) => text,
      (text) => JSON.stringify(text),
      (text) => Buffer.from(`x${text}`).toString("base64"),
      (text) => Buffer.from(text).toString("hex"),
      (text) => encodeURIComponent(text.replace(/\p{Surrogate}/gu, "")),
    );
    const piece = fc.oneof(fc.nat({ max: 2 }), fc.string({ maxLength: 10, unit: "grapheme" }));
    fc.assert(
      fc.property(
        fc.array(secret, { minLength: 3, maxLength: 3 }),
        fc.array(fc.tuple(piece, encode)),
        cuts,
        (secrets, pieces, places) => {
          const redactor = knowing(...secrets);
          const text = pieces
            .map(([one, encoded]) => encoded(typeof one === "number" ? (secrets[one] ?? "") : one))
            .join("");
          const bytes = Buffer.from(text);
          const chunks = cutInto<Uint8Array>(bytes, places, (from, to) => bytes.subarray(from, to));
          expect(streamed(redactor, chunks).join("")).toBe(redactor.redact(bytes.toString()));
          const texts = cutInto<string>(text, places, (from, to) => text.slice(from, to));
          expect(streamed(redactor, texts).join("")).toBe(redactor.redact(text));
        },
      ),
      { numRuns: cases(1000) },
    );
  });

  test("bytes that are no UTF-8 are what they would be in one piece", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), cuts, (bytes, places) => {
        const chunks = cutInto<Uint8Array>(bytes, places, (from, to) => bytes.subarray(from, to));
        expect(streamed(knowing("\ufffd\ufffd\ufffd\ufffd"), chunks).join("")).toBe(
          Buffer.from(bytes)
            .toString()
            .replace(/\ufffd{4,}/g, "***"),
        );
      }),
      { numRuns: cases(2000) },
    );
  });

  test("no more is held back than what may be the beginning of a secret", () => {
    fc.assert(
      fc.property(overlappingSecrets, crowdedText, cuts, (secrets, text, places) => {
        const stream = knowing(...secrets).stream();
        let arrived = "";
        let shown = "";
        for (const chunk of cutInto<string>(text, places, (from, to) => text.slice(from, to))) {
          arrived += chunk;
          shown += stream.write(chunk);
          const isOpen = (at: number) =>
            secrets.some((one) => one.length > arrived.length - at && one.startsWith(arrived.slice(at)));
          let open = 0;
          while (open < arrived.length && !isOpen(open)) open++;
          // If a match begins where a longer one may begin, its mask is already due.
          const marks = hidden(arrived, secrets, open + 1);
          const due = marks[open] && !marks[open - 1] ? "***" : "";
          // In base64, the last character may hold bits of a secret that follows.
          const kept = due === "" && arrived[open - 1] === "x" ? open - 1 : open;
          expect(shown).toBe(masked(arrived, marks, kept) + due);
        }
        expect(shown + stream.end()).toBe(masked(text, hidden(text, secrets)));
      }),
      { numRuns: cases(3000) },
    );
  });
});
