import { createPrivateKey, X509Certificate } from "node:crypto";
import { expect, test } from "vitest";
import { ownCertificate } from "../../../../plugins/terraform/protocol/process/index.js";

test("a certificate of a run is signed by its own key, for localhost, at any time", async () => {
  const { certificate, key } = await ownCertificate();
  const read = new X509Certificate(certificate);
  expect(read.verify(read.publicKey)).toBe(true);
  expect(read.checkPrivateKey(createPrivateKey(key))).toBe(true);
  expect(read.checkHost("localhost")).toBe("localhost");
  expect(read.checkIssued(read)).toBe(true);
  expect(read.ca).toBe(true);
  expect([read.validFrom, read.validTo]).toEqual(["Jan  1 00:00:00 1970 GMT", "Dec 31 23:59:59 2049 GMT"]);
});

test("no two are the same", async () => {
  const [one, other] = [await ownCertificate(), await ownCertificate()];
  const numbers = [one, other].map(({ certificate }) => new X509Certificate(certificate).serialNumber);
  expect(numbers[0]).not.toBe(numbers[1]);
  expect(one.key).not.toBe(other.key);
});
