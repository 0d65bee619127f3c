import { describe, expect, test } from "vitest";
import { Secret } from "../../../../plugins/secrets/secret.js";
import { secretsGiven, withSecrets } from "../../../../plugins/terraform/sensitive/index.js";
import { writers } from "../../secrets/writers.js";

/** Names of the members that are secrets. */
function sealedIn(output: object, props: unknown, written?: unknown): readonly string[] {
  const all: Readonly<Record<string, unknown>> = Object(withSecrets(output, secretsGiven({ props, written })));
  return Object.entries(all).flatMap(([name, value]) => (value instanceof Secret ? [name] : []));
}

const TEXT = 'p/ss "word"';

describe("an output", () => {
  test.each([
    ["as it is", `a-${TEXT}-b`],
    ["in JSON", JSON.stringify({ key: TEXT })],
    ["in JSON within JSON", JSON.stringify({ key: JSON.stringify({ key: TEXT }) })],
    ["in a URL", `postgres://user:${encodeURIComponent(TEXT)}@host`],
    ["in base64", Buffer.from(TEXT).toString("base64")],
    ["in base64 behind a name", Buffer.from(`user:${TEXT}`).toString("base64")],
    ["in hex", Buffer.from(TEXT).toString("hex")],
    ["in capital letters", TEXT.toUpperCase()],
  ])("that has a secret %s is one there", (_how, made) => {
    expect(sealedIn({ made, other: "made" }, { name: new Secret(TEXT) })).toEqual(["made"]);
    expect(sealedIn({ made, other: "made" }, { name: "a" }, { password: TEXT })).toEqual(["made"]);
  });

  test("that has a secret without the blank at its end is one there", () => {
    expect(sealedIn({ made: "is hidden-word", other: 1 }, { value: new Secret("hidden-word\n") })).toEqual(["made"]);
  });

  test("that has a secret which is only written is one there", () => {
    expect(sealedIn({ made: `wo:${TEXT}` }, {}, { password: new Secret(TEXT) })).toEqual(["made"]);
  });

  test("that has a secret in lines of base64 is one there", () => {
    const long = "a secret of a certificate ".repeat(6);
    const made = Buffer.from(long).toString("base64").replaceAll(/.{76}/g, "$&\n");
    expect(sealedIn({ made }, { value: new Secret(long) })).toEqual(["made"]);
  });

  test("is a secret as a whole where the name of a member has one", () => {
    expect(sealedIn({ made: { [`k-${TEXT}`]: 1 }, other: { k: 1 } }, { value: new Secret(TEXT) })).toEqual(["made"]);
  });

  test("has a secret where a number has its digits, of which there are enough", () => {
    const props = { pin: new Secret("493021"), port: new Secret("8080") };
    expect(sealedIn({ made: 493_021, size: 8080 }, props)).toEqual(["made"]);
  });

  test("is none because it begins as a certificate does", () => {
    const pem = (body: string) => `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`;
    expect(sealedIn({ made: pem("own") }, { ca: new Secret(pem("theirs")) })).toEqual([]);
  });

  test("has no secret where the program passes the text in the clear, too, or where it is shorter than four characters", () => {
    expect(sealedIn({ id: "my-acme" }, { owner: new Secret("acme"), name: "acme corporation" })).toEqual([]);
    expect(sealedIn({ id: "my-ace", owner: "ace" }, { owner: new Secret("ace") })).toEqual(["owner"]);
  });

  test.each(Object.entries(writers))(
    "has a secret where the provider gives it back as %s writes it",
    (_name, write) => {
      const text = "p&<w\u2028\u0007 \"\u007f/é'>";
      expect(sealedIn({ body: `{"a":"${write(text)}"}`, name: "p" }, { value: new Secret(text) })).toEqual(["body"]);
    },
  );

  test("has a secret at the place of each of the program, whatever the order of a list", () => {
    const props = {
      list: [new Secret("one"), "two"],
      map: new Map([["a", new Secret(1)]]),
      block: { a: new Secret(true) },
    };
    const output = { list: ["two", "one"], map: { a: 1, b: 2 }, block: [{ a: true, b: false }] };
    expect(withSecrets(output, secretsGiven({ props }))).toEqual({
      list: ["two", expect.any(Secret)],
      map: { a: expect.any(Secret), b: 2 },
      block: [{ a: expect.any(Secret), b: false }],
    });
  });
});
