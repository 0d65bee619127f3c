import { hkdfSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { decrypt, encrypt, expand, extract, fromBase64 } from "../../../plugins/secrets/envelope.js";

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(/\s/g, ""), "hex");

/** AES-256-GCM: test cases 13 to 16 of McGrew and Viega, "The Galois/Counter Mode of Operation", appendix B. */
const GCM = [
  {
    name: "13",
    key: "00".repeat(32),
    nonce: "00".repeat(12),
    text: "",
    bound: "",
    sealed: "",
    tag: "530f8afbc74536b9a963b4f1c4cb738b",
  },
  {
    name: "14",
    key: "00".repeat(32),
    nonce: "00".repeat(12),
    text: "00".repeat(16),
    bound: "",
    sealed: "cea7403d4d606b6e074ec5d3baf39d18",
    tag: "d0d1c8a799996bf0265b98b5d48ab919",
  },
  {
    name: "16",
    key: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
    nonce: "cafebabefacedbaddecaf888",
    text: `d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72
      1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39`,
    bound: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
    sealed: `522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa
      8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662`,
    tag: "76fc6ece0f4e1768cddf8853bb2d551b",
  },
];

describe("AES-256-GCM", () => {
  test.each(GCM)("does test case $name", ({ key, nonce, text, bound, sealed, tag }) => {
    const made = encrypt(hex(key), hex(text), hex(bound), hex(nonce));
    expect(made.toString("hex")).toBe(Buffer.concat([hex(nonce), hex(sealed), hex(tag)]).toString("hex"));
    expect(decrypt(hex(key), made, hex(bound))?.toString("hex")).toBe(hex(text).toString("hex"));
  });

  test.each(GCM)("opens test case $name with no bit of it changed, and with no other key or place", (given) => {
    const key = hex(given.key);
    const bound = hex(given.bound);
    const sealed = encrypt(key, hex(given.text), bound, hex(given.nonce));
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const changed = Buffer.from(sealed);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(decrypt(key, changed, bound)).toBeUndefined();
    }
    for (let end = 0; end < sealed.length; end++) expect(decrypt(key, sealed.subarray(0, end), bound)).toBeUndefined();
    expect(decrypt(key, sealed, Buffer.concat([bound, Buffer.from([0])]))).toBeUndefined();
    expect(decrypt(Buffer.alloc(32, 7), sealed, bound)).toBeUndefined();
  });

  test("takes another nonce each time", () => {
    const key = Buffer.alloc(32);
    const nonces = Array.from({ length: 1_000 }, () => encrypt(key, key, key).subarray(0, 12).toString("hex"));
    expect(new Set(nonces).size).toBe(1_000);
  });
});

/** RFC 5869, appendix A. */
describe("HKDF-SHA256", () => {
  test.each([
    {
      name: "A.1",
      key: "0b".repeat(22),
      salt: "000102030405060708090a0b0c",
      info: "f0f1f2f3f4f5f6f7f8f9",
      okm: "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865",
    },
    {
      name: "A.2",
      key: Buffer.from(Array.from({ length: 80 }, (_, at) => at)).toString("hex"),
      salt: Buffer.from(Array.from({ length: 80 }, (_, at) => at + 0x60)).toString("hex"),
      info: Buffer.from(Array.from({ length: 80 }, (_, at) => at + 0xb0)).toString("hex"),
      okm: `b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09da3275600c2f09b8
        367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87`,
    },
    {
      name: "A.3",
      key: "0b".repeat(22),
      salt: "",
      info: "",
      okm: "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8",
    },
  ])("does test case $name", ({ key, salt, info, okm }) => {
    const expected = hex(okm);
    const nodes = Buffer.from(hkdfSync("sha256", hex(key), hex(salt), hex(info), expected.length));
    expect(nodes.toString("hex")).toBe(expected.toString("hex"));
    expect(expand(extract(hex(key), hex(salt)), hex(info), expected.length).toString("hex")).toBe(
      expected.toString("hex"),
    );
  });
});

test("base64 is read where it is base64, and nothing else", () => {
  expect(fromBase64("AQI=")?.toString("hex")).toBe("0102");
  for (const other of ["AQI", "AQI= ", "A*I=", "AQJ", 5, null, undefined]) expect(fromBase64(other)).toBeUndefined();
});
