/** A secret as it is recorded: its value and name as text, padded, encrypted, bound to its place. */
import { EngineError } from "../../core/base/index.js";
import { canonical } from "../../core/codec/index.js";
import type { Encoded, ValueContext } from "../../core/contract/index.js";
import { decrypt, encrypt, fromBase64, toBase64 } from "./cipher.js";
import type { DataKey } from "./keyring.js";

export const TAG = "$secret";

/** What is inside. */
export interface Content {
  readonly value: Encoded;
  readonly name: string;
}

/** As it stands in the state. */
export interface Envelope {
  /** The data key; empty for a secret that is inside of another one, which protects it. */
  readonly id: string;
  readonly sealed: Encoded;
}

export type Bound = Pick<ValueContext, "owner" | "slot" | "path">;

/** Undefined: not one. */
export function envelopeIn(encoded: Encoded): Envelope | undefined {
  const body: unknown = typeof encoded === "object" && encoded !== null ? Reflect.get(encoded, TAG) : undefined;
  return body === undefined ? undefined : parseEnvelope(body);
}

export function parseEnvelope(body: unknown): Envelope | undefined {
  if (!Array.isArray(body) || body.length !== 2) return undefined;
  const [id, sealed]: readonly Encoded[] = body;
  return typeof id === "string" && sealed !== undefined ? { id, sealed } : undefined;
}

export function tagged({ id, sealed }: Envelope): Encoded {
  return { [TAG]: [id, sealed] };
}

export function lock(key: DataKey, content: Content, bound: Bound): Encoded {
  const text = Buffer.from(padded(JSON.stringify([content.value, content.name])));
  return tagged({ id: key.id, sealed: toBase64(encrypt(key.of(bound.owner), text, boundTo(key, bound))) });
}

/** Undefined: changed, moved, or under another key. */
export function unlock(key: DataKey, { sealed }: Envelope, bound: Bound): Content | undefined {
  const bytes = fromBase64(sealed);
  const text = bytes && decrypt(key.of(bound.owner), bytes, boundTo(key, bound));
  // What was encrypted is what this library wrote.
  return text ? contentOf(JSON.parse(text.toString())) : undefined;
}

export function contentOf([value, name]: readonly [Encoded, string]): Content {
  return { value, name };
}

/** The name is for people: another one makes no other secret. */
export function isSame(one: Content, other: Content): boolean {
  return canonical(one.value) === canonical(other.value);
}

export function unreadable({ slot, path, fqn }: Bound & Pick<ValueContext, "fqn">): EngineError {
  return new EngineError(
    "STATE_CORRUPT",
    `The secret at "${path}" in the ${slot} of "${fqn}" cannot be decrypted: it was altered, or belongs to another place. Restore the state from its history.`,
    { fqn },
  );
}

const SMALLEST = 64;

/**
 * So that its length does not tell which of a few values it is. Blanks at the end of JSON mean nothing: up to 64, then up
 * to the next eighth of a power of two.
 */
function padded(text: string): string {
  const length = Buffer.byteLength(text);
  const step = Math.max(SMALLEST, 2 ** (Math.floor(Math.log2(length)) - 3));
  return text + " ".repeat(Math.ceil(length / step) * step - length);
}

function boundTo({ lineage, id }: DataKey, { owner, slot, path }: Bound): Buffer {
  return Buffer.from(JSON.stringify(["scope-engine secret", 1, lineage, id, owner, slot, path]));
}
