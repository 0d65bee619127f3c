/**
 * Random UUIDs, version 4, each a flat string. Those of node:crypto are ropes of a dozen strings until they are
 * written: a kilobyte and three microseconds for each resource, which has two of them.
 */

const SIZE = 16;

const DASH = "-".charCodeAt(0);

const digits = Buffer.from("0123456789abcdef");

const pool = Buffer.allocUnsafeSlow(256 * SIZE);

const text = Buffer.allocUnsafeSlow(36);

let at = pool.length;

/** Returns a random UUID: RFC 9562, version 4, lower case. */
export function randomUuid(): string {
  if (at === pool.length) {
    nodeCrypto().randomFillSync(pool);
    at = 0;
  }
  // The version and variant bits.
  pool[at + 6] = ((pool[at + 6] ?? 0) & 0x0f) | 0x40;
  pool[at + 8] = ((pool[at + 8] ?? 0) & 0x3f) | 0x80;
  let to = 0;
  for (let index = 0; index < SIZE; index++) {
    if (index === 4 || index === 6 || index === 8 || index === 10) text[to++] = DASH;
    const byte = pool[at + index] ?? 0;
    text[to++] = digits[byte >> 4] ?? 0;
    text[to++] = digits[byte & 15] ?? 0;
  }
  // Bytes that were handed out are not kept.
  pool.fill(0, at, at + SIZE);
  at += SIZE;
  return text.toString("latin1", 0, to);
}

/**
 * Node's cryptography, loaded at its first use: loading it takes as long as all of the engine's code, and a program
 * that only imports the engine does not need it.
 */
type Crypto = typeof import("node:crypto");

let loaded: Crypto | undefined;

/** @internal Its type is Node's own, which not every project has. */
export function nodeCrypto(): Crypto {
  loaded ??= process.getBuiltinModule("node:crypto");
  return loaded;
}
