/** Redacts any secret in any text. */
import { inspect } from "node:util";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { createRedactor } from "../../../plugins/secrets/redactor.js";
import { cases, fc } from "../../helpers/checks/generated.js";
import { crowdedText, hidden, knowing, masked, overlappingSecrets, repetitive, secret } from "./redactor-secrets.js";
import { inUpperCase, outerWriters, type Write, writers } from "./writers.js";

const around = fc.string({ maxLength: 30, unit: "grapheme" });
const written = fc
  .oneof(
    { weight: 3, arbitrary: secret },
    fc.string({
      minLength: 4,
      maxLength: 20,
      unit: fc.constantFrom(
        "&",
        "<",
        ">",
        "\u007f",
        "\u0007",
        "\u2029",
        "/",
        "+",
        "=",
        "\t",
        "\ufeff",
        "ü",
        "😀",
        "ab",
      ),
    }),
  )
  .map((text) => Buffer.from(text).toString())
  .filter((text) => text.length >= 4);
const bytesAround = fc.uint8Array({ maxLength: 20 });
const wellFormed = secret.map((text) => Buffer.from(text).toString()).filter((text) => text.length >= 4);

function percentEncoded(text: string, kept: RegExp): string {
  return [...Buffer.from(text)]
    .map((byte) => String.fromCharCode(byte))
    .map((one) => (kept.test(one) ? one : `%${one.charCodeAt(0).toString(16).padStart(2, "0")}`))
    .join("");
}

/** Bytes of each piece of base64 in a text, decoded from each of the four offsets at which a group may begin. */
function base64Readings(text: string): Buffer[] {
  const pieces = text.match(/[A-Za-z0-9+/_-]+/g) ?? [];
  return pieces.flatMap((piece) => [0, 1, 2, 3].map((start) => Buffer.from(piece.slice(start), "base64")));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A mask split an escape sequence: there is nothing to read, so nothing to find.
    return undefined;
  }
}

function literalOf(text: string): unknown {
  try {
    return runInNewContext(text);
  } catch {
    return undefined;
  }
}

describe("whatever the secret", () => {
  test("it is not in the text any more", () => {
    fc.assert(
      fc.property(secret, around, around, (value, before, after) => {
        expect(knowing(value).redact(before + value + after)).not.toContain(value);
      }),
      { numRuns: cases(1000) },
    );
  });

  test("it cannot be read out of JSON, or of JSON in JSON", () => {
    fc.assert(
      fc.property(secret, around, around, (value, before, after) => {
        const redactor = knowing(value);
        const json = JSON.stringify(before + value + after);
        for (const unprintable of [/(?!)/g, /[\u0080-\uffff]/g]) {
          const ascii = json.replace(unprintable, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
          const upper = ascii.replace(/(?<=(?<!\\)(?:\\\\)*\\u)[0-9a-f]{4}/g, (digits) => digits.toUpperCase());
          for (const text of [ascii, upper]) {
            expect(jsonOf(redactor.redact(text)) ?? "").not.toContain(value);
            const twice = jsonOf(redactor.redact(JSON.stringify(text)));
            expect(typeof twice === "string" ? (jsonOf(twice) ?? "") : "").not.toContain(value);
          }
        }
      }),
      { numRuns: cases(500) },
    );
  });

  test.each(Object.entries(writers))("it is masked as %s writes it, also inside of another text", (_name, write) => {
    const outer = fc.constantFrom<Write>(write, ...outerWriters.map((name) => writers[name] ?? write));
    const digits = fc.constantFrom<(one: Write) => Write>((one) => one, inUpperCase);
    fc.assert(
      fc.property(written, outer, digits, (value, around, inDigits) => {
        const redactor = knowing(value);
        const once = inDigits(write)(value);
        expect(redactor.redact(once)).toBe("***");
        expect(redactor.redact(around(once))).toBe("***");
      }),
      { numRuns: cases(150) },
    );
  });

  test("it cannot be read out of what util.inspect prints", () => {
    const options = { breakLength: Number.POSITIVE_INFINITY };
    fc.assert(
      fc.property(secret, around, fc.constantFrom("", "'", "'\"", "'\"`"), (value, before, quotes) => {
        const printed = inspect(before + quotes + value, options);
        expect(literalOf(printed)).toBe(before + quotes + value);
        expect(literalOf(knowing(value).redact(printed)) ?? "").not.toContain(value);
      }),
      { numRuns: cases(500) },
    );
  });

  test("it cannot be read out of base64, whatever stands beside it", () => {
    fc.assert(
      fc.property(wellFormed, bytesAround, bytesAround, around, (value, before, after, text) => {
        const bytes = Buffer.from(value);
        const payload = Buffer.concat([before, bytes, after]);
        // Characters that hold bits of the secret only.
        const own = Math.floor((8 * (before.length + bytes.length)) / 6) - Math.ceil((8 * before.length) / 6);
        for (const encoding of ["base64", "base64url"] as const) {
          const encoded = payload.toString(encoding);
          const shown = knowing(value).redact(encoded);
          expect(shown.replaceAll("***", "").length).toBeLessThanOrEqual(encoded.length - own);
          expect(base64Readings(shown).filter((reading) => reading.includes(bytes))).toEqual([]);
          expect(base64Readings(knowing(bytes).redact(`${text} ${encoded}`)).some((one) => one.includes(bytes))).toBe(
            false,
          );
        }
      }),
      { numRuns: cases(500) },
    );
  });

  test("it cannot be read out of hex", () => {
    fc.assert(
      fc.property(wellFormed, bytesAround, bytesAround, (value, before, after) => {
        const hex = Buffer.concat([before, Buffer.from(value), after]).toString("hex");
        for (const text of [hex, hex.toUpperCase()]) {
          const shown = knowing(value).redact(text);
          expect(shown.toLowerCase()).not.toContain(Buffer.from(value).toString("hex"));
          expect(shown).toContain("***");
        }
      }),
      { numRuns: cases(500) },
    );
  });

  test("it cannot be read out of anything percent-encoded", () => {
    fc.assert(
      fc.property(wellFormed, around, (value, before) => {
        const redactor = knowing(value);
        const encodings = [
          encodeURIComponent(value),
          encodeURI(value),
          new URLSearchParams([["", value]]).toString().slice("=".length),
          encodeURIComponent(value).replaceAll("%20", "+"),
          percentEncoded(value, /[A-Za-z0-9]/),
          percentEncoded(value, /[A-Za-z0-9_.~-]/),
        ];
        for (const upper of encodings) {
          for (const encoded of [upper, upper.replace(/%../g, (one) => one.toLowerCase())]) {
            expect(redactor.redact(encoded)).toBe("***");
            expect(redactor.redact(`${before}?a=${encoded}&b=`)).not.toContain(encoded);
          }
        }
      }),
      { numRuns: cases(500) },
    );
  });
});

describe("whatever the bytes", () => {
  test("they cannot be read out of hex, base64 or anything percent-encoded", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 4, maxLength: 60 }), bytesAround, (value, before) => {
        const redactor = knowing(value);
        const bytes = Buffer.from(value);
        const payload = Buffer.concat([before, bytes]);
        expect(redactor.redact(payload.toString("hex"))).not.toContain(bytes.toString("hex"));
        const readings = base64Readings(redactor.redact(payload.toString("base64")));
        expect(readings.filter((reading) => reading.includes(bytes))).toEqual([]);
        const percent = bytes.toString("hex").replace(/../g, (digits) => `%${digits}`);
        const kept = percent.replace(/%(3[0-9]|[46][1-9a-f]|[57][0-9a])/g, (_, digits) =>
          Buffer.from(digits, "hex").toString(),
        );
        expect(redactor.redact(kept)).toBe("***");
      }),
      { numRuns: cases(500) },
    );
  });
});

describe("whatever the text", () => {
  test("it is unchanged where no secret is in it", () => {
    // Letters that no encoding of the secret contains.
    const text = fc.string({ maxLength: 300, unit: fc.constantFrom("ж", "щ", ".", "ю", "😀", "\ud83d") });
    const other = fc.string({ minLength: 4, maxLength: 40, unit: fc.constantFrom("a", "é", "😃", "\n", '"') });
    fc.assert(
      fc.property(fc.array(other, { maxLength: 5 }), text, (values, unconcerned) => {
        expect(knowing(...values).redact(unconcerned)).toBe(unconcerned);
      }),
    );
  });

  test("each run of secrets in it that overlap or touch is one mask, and nothing else is", () => {
    fc.assert(
      fc.property(overlappingSecrets, crowdedText, (secrets, text) => {
        expect(knowing(...secrets).redact(text)).toBe(masked(text, hidden(text, secrets)));
      }),
      { numRuns: cases(5000) },
    );
  });

  test("the same is true of secrets that repeat themselves", () => {
    fc.assert(
      fc.property(fc.array(repetitive, { minLength: 1, maxLength: 6 }), fc.array(repetitive), (secrets, texts) => {
        const text = texts.join("");
        expect(knowing(...secrets).redact(text)).toBe(masked(text, hidden(text, secrets)));
      }),
      { numRuns: cases(2000) },
    );
  });

  test("the order in which secrets became known does not matter", () => {
    fc.assert(
      fc.property(overlappingSecrets, crowdedText, (secrets, text) => {
        const later = createRedactor();
        for (const one of [...secrets].reverse()) {
          later.know(one);
          later.redact(text);
        }
        expect(later.redact(text)).toBe(knowing(...secrets).redact(text));
      }),
    );
  });
});
