import * as openpgp from "openpgp";
import { describe, expect, test } from "vitest";
import { signedBy, verifySums } from "../../../../plugins/terraform/registry/verify-sums.js";

const bytes = Buffer.from("sums");

async function signedAt(date: Date, validFor: number) {
  const { publicKey, privateKey } = await openpgp.generateKey({
    type: "ecc",
    curve: "ed25519Legacy",
    userIDs: [{ name: "publisher" }],
    format: "object",
    date: new Date("2020-01-01"),
    keyExpirationTime: validFor,
  });
  const message = await openpgp.createMessage({ binary: bytes });
  const armored = await openpgp.sign({ message, signingKeys: privateKey, detached: true, date });
  return { key: publicKey.armor(), id: publicKey.getKeyID().toHex(), armored: Buffer.from(String(armored)) };
}

describe("a signature", () => {
  const made = signedAt(new Date("2020-01-01T12:00:00Z"), 86_400);

  test("of a key that has expired since still tells who signed, also in armor", async () => {
    const { key, id, armored } = await made;
    expect(await signedBy(bytes, armored, [key])).toEqual({ by: id });
  });

  test("of other bytes, or by none of the keys, is a problem", async () => {
    const { key, armored } = await made;
    expect(await signedBy(Buffer.from("others"), armored, [key])).toHaveProperty("problem");
    expect(await signedBy(bytes, armored, [])).toHaveProperty("problem");
    expect(await signedBy(bytes, armored, ["no key"])).toHaveProperty("problem");
    expect(await signedBy(bytes, Buffer.from("-----BEGIN"), [key])).toHaveProperty("problem");
  });
});

test("a provider without a key is taken from the default registry alone, with a warning", async () => {
  const url = new URL("https://example.com/");
  const archive = { protocols: [], fileName: "", url, sumsUrl: url, signatureUrl: url, sha256: "", keys: [] };
  const lines: string[] = [];
  const report = (line: string): void => void lines.push(line);
  const address = { host: "registry.opentofu.org", namespace: "acme", type: "thing" };
  expect(await verifySums(address, archive, bytes, { report })).toBeUndefined();
  expect(lines).toEqual([expect.stringContaining("was not verified")]);
  await expect(verifySums({ ...address, host: "example.com" }, archive, bytes, {})).rejects.toMatchObject({
    code: "PROVIDER_UNVERIFIED",
  });
});
