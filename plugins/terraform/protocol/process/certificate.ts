/** A self-signed certificate for one run, by which both sides of a connection authenticate each other. */
import { generateKeyPair, randomBytes, sign } from "node:crypto";
import { promisify } from "node:util";

/** A certificate with its key. */
export interface OwnCertificate {
  /** PEM. */
  readonly certificate: string;
  readonly key: string;
}

/** Creates a key and its certificate. */
export async function ownCertificate(): Promise<OwnCertificate> {
  const pair = await promisify(generateKeyPair)("ec", { namedCurve: "P-256" });
  const publicKey = pair.publicKey.export({ type: "spki", format: "der" });
  const body = toBeSigned(publicKey);
  const signature = sign("sha256", body, pair.privateKey);
  const whole = sequence(body, ECDSA_WITH_SHA256, bits(signature));
  return {
    certificate: pem("CERTIFICATE", whole),
    key: pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

/** Returns a certificate as PEM. @param base64 without padding, as providers send it */
export function certificateOf(base64: string): string | undefined {
  const bytes = Buffer.from(base64, "base64");
  return bytes.length > 0 ? pem("CERTIFICATE", bytes) : undefined;
}

function toBeSigned(publicKey: Buffer): Buffer {
  // The serial number is positive, in the fewest bytes.
  const serial = Buffer.from([0x40 | (randomBytes(1).readUInt8() & 0x3f), ...randomBytes(15)]);
  return sequence(
    tagged(0xa0, element(INTEGER, Buffer.from([2]))),
    element(INTEGER, serial),
    ECDSA_WITH_SHA256,
    NAME,
    VALIDITY,
    NAME,
    publicKey,
    tagged(0xa3, sequence(isAuthority(), keyUsage(), extendedKeyUsage(), alternativeName())),
  );
}

function isAuthority(): Buffer {
  return extension("551d13", sequence(element(BOOLEAN, Buffer.from([0xff]))));
}

/** Allows signatures, key agreement, and signing of certificates. */
function keyUsage(): Buffer {
  return extension("551d0f", element(BIT_STRING, Buffer.from([2, 0b1000_1100])));
}

/** Allows authentication of servers and clients. */
function extendedKeyUsage(): Buffer {
  return extension("551d25", sequence(objectId("2b06010505070301"), objectId("2b06010505070302")));
}

function alternativeName(): Buffer {
  return extension("551d11", sequence(element(0x82, Buffer.from("localhost"))));
}

function extension(id: string, value: Buffer): Buffer {
  return sequence(objectId(id), element(OCTET_STRING, value));
}

const [BOOLEAN, INTEGER, BIT_STRING, OCTET_STRING, OBJECT_ID, UTF8] = [1, 2, 3, 4, 6, 12] as const;
const [UTC_TIME, SEQUENCE, SET] = [0x17, 0x30, 0x31] as const;

function objectId(hex: string): Buffer {
  return element(OBJECT_ID, Buffer.from(hex, "hex"));
}

function sequence(...elements: readonly Buffer[]): Buffer {
  return element(SEQUENCE, ...elements);
}

function tagged(tag: number, inner: Buffer): Buffer {
  return element(tag, inner);
}

function bits(bytes: Buffer): Buffer {
  return element(BIT_STRING, Buffer.from([0]), bytes);
}

/** Returns a DER element: tag, length, contents. */
function element(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content.length)]), content]);
}

function lengthOf(length: number): readonly number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}

const ECDSA_WITH_SHA256 = sequence(objectId("2a8648ce3d040302"));
/** From 1970 to 2049, so that wrong clocks do not matter. The key exists only during the run. */
const VALIDITY = sequence(...["700101000000Z", "491231235959Z"].map((time) => element(UTC_TIME, Buffer.from(time))));
const NAME = sequence(element(SET, sequence(objectId("550403"), element(UTF8, Buffer.from("localhost")))));

function pem(what: string, bytes: Buffer): string {
  const lines = bytes.toString("base64").match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${what}-----`, ...lines, `-----END ${what}-----`, ""].join("\n");
}
