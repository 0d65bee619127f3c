/** Binary data as base64 beside the name of its class: `["Uint8Array", "AQI="]`. */
import { types } from "node:util";
import type { Encoded } from "../contract/index.js";
import { prototypeCount } from "./builtin.js";

type Bytes = ArrayBuffer | ArrayBufferView;

interface BytesClass {
  /** Length of the prototype chain of a direct instance. That of a subclass is longer: decoding could not make one again. */
  readonly prototypes: number;
  from(buffer: ArrayBuffer): Bytes;
}

const classes: ReadonlyMap<string, BytesClass> = new Map<string, BytesClass>([
  ["ArrayBuffer", { prototypes: 2, from: (buffer) => buffer }],
  ["DataView", { prototypes: 2, from: (buffer) => new DataView(buffer) }],
  ["Buffer", { prototypes: 4, from: (buffer) => Buffer.from(buffer) }],
  ["Int8Array", { prototypes: 3, from: (buffer) => new Int8Array(buffer) }],
  ["Uint8Array", { prototypes: 3, from: (buffer) => new Uint8Array(buffer) }],
  ["Uint8ClampedArray", { prototypes: 3, from: (buffer) => new Uint8ClampedArray(buffer) }],
  ["Int16Array", { prototypes: 3, from: (buffer) => new Int16Array(buffer) }],
  ["Uint16Array", { prototypes: 3, from: (buffer) => new Uint16Array(buffer) }],
  ["Int32Array", { prototypes: 3, from: (buffer) => new Int32Array(buffer) }],
  ["Uint32Array", { prototypes: 3, from: (buffer) => new Uint32Array(buffer) }],
  ["Float32Array", { prototypes: 3, from: (buffer) => new Float32Array(buffer) }],
  ["Float64Array", { prototypes: 3, from: (buffer) => new Float64Array(buffer) }],
  ["BigInt64Array", { prototypes: 3, from: (buffer) => new BigInt64Array(buffer) }],
  ["BigUint64Array", { prototypes: 3, from: (buffer) => new BigUint64Array(buffer) }],
]);

/** Undefined: not binary data, or of a class that is not known. A view gives its own part of the buffer only. */
export function encodeBytes(value: object): Encoded | undefined {
  if (!ArrayBuffer.isView(value) && !types.isArrayBuffer(value)) return undefined;
  // The tag comes from an internal slot, so it names the built-in class for a subclass, too.
  const name = Buffer.isBuffer(value) ? "Buffer" : Object.prototype.toString.call(value).slice("[object ".length, -1);
  if (classes.get(name)?.prototypes !== prototypeCount(value)) return undefined;
  const bytes = ArrayBuffer.isView(value)
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : Buffer.from(value);
  return { $bytes: [name, bytes.toString("base64")] };
}

export function bytesFrom(name: string, base64: string): Bytes {
  // It may lie in a pool that others share: copied below.
  const pooled = Buffer.from(base64, "base64");
  // Buffer.from skips what is not base64, which would turn damage into other bytes without a word.
  if (pooled.toString("base64") !== base64) throw new TypeError("Not base64");
  const made = classes.get(name)?.from(new Uint8Array(pooled).buffer);
  if (made === undefined) throw new TypeError(`No class of bytes is called "${name}"`);
  return made;
}
