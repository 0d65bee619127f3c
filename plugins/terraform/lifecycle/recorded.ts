/** Records of a resource in addition to its output: the version of its schema, and private bytes of its provider. */
import { createHash } from "node:crypto";
import type { HandlerBase } from "../../../core/contract/index.js";
import { hasKeyFor } from "../../secrets/password.js";
import { isSecret, Secret } from "../../secrets/secret.js";
import type { CtyValue } from "../cty/index.js";
import { type OwnTypes, ownTypes, type Schema, stateOf } from "../schema/index.js";
import { holds, type OutputSecrets } from "../sensitive/index.js";
import { NOTHING, type Prior } from "./change.js";
import { holdsUnsealable, recordable } from "./unsealable.js";
import { toOutput, unwrapped } from "./values.js";

const KEPT = "terraform";
const LEFT = "terraform:left";

type Data = Pick<HandlerBase, "get" | "set" | "delete" | "fqn" | "token" | "attempt" | "scope" | "redact">;

export interface Kept {
  readonly version: number;
  readonly private: Uint8Array;
  /** Types of dynamic values, because an output does not hold them. */
  readonly types: OwnTypes;
}

/** The recorded form, without default values. */
interface Recorded {
  readonly version?: number;
  /** A secret if the bytes contain one. */
  readonly private?: Uint8Array | Secret<Uint8Array>;
  readonly types?: OwnTypes;
}

/** A run may be killed after this was recorded, and before the matching output was. */
interface RecordedBeside extends Recorded {
  /** Digest of the matching output, without its secrets. */
  readonly of: string;
  /** The data that matches the previous output. */
  readonly before: Recorded;
}

/** Returns the data that matches an output. @param output as recorded */
export async function keptOf(data: Pick<Data, "get">, output: unknown): Promise<Kept> {
  const recorded = await data.get<RecordedBeside>(KEPT);
  return complete(recorded && recorded.of !== digestOf(output) ? recorded.before : recorded);
}

/** Records the data. @param output that is recorded next */
export async function keep(
  data: Data,
  schema: Schema,
  secrets: OutputSecrets,
  prior: Prior,
  output: unknown,
): Promise<void> {
  const recorded = recordedOf(data, schema, secrets, prior);
  const known = await data.get<RecordedBeside>(KEPT);
  if (Object.keys(recorded).length === 0 && !known) return;
  const { of: _of, before: _before, ...before }: Partial<RecordedBeside> = known ?? {};
  // The stage may have got a key since then.
  const bytes = before.private && { private: sealedIfSecret(data, secrets, Secret.unwrap(before.private)) };
  await data.set(KEPT, { ...recorded, of: digestOf(output), before: { ...before, ...bytes } });
}

function digestOf(output: unknown): string {
  return createHash("sha256").update(textOf(output)).digest("base64url").slice(0, 16);
}

/** Returns a text that does not depend on the order of members. */
function textOf(value: unknown): string {
  if (isSecret(value)) return "secret";
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`;
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "";
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${textOf(member)}`);
  return `{${members.sort().join()}}`;
}

/** Leftovers of a failed change. */
export interface Left extends Kept {
  readonly output: unknown;
}

/** The failed attempt. Without an output, it left nothing. */
interface RecordedFailure extends Recorded {
  readonly attempt: string;
  readonly output?: unknown;
}

export async function leftOf(data: Data): Promise<Left | undefined> {
  const recorded = await data.get<RecordedFailure>(LEFT);
  return recorded?.output === undefined ? undefined : { ...complete(recorded), output: recorded.output };
}

/** True if the attempt of the context failed and recorded its leftovers. A killed attempt did not. */
export async function hasFailed(data: Data): Promise<boolean> {
  return (await data.get<RecordedFailure>(LEFT))?.attempt === attemptOf(data);
}

/** Records the leftovers of a failed change. Without `failed`, deletes the record of leftovers. */
export async function keepLeft(data: Data, schema: Schema, secrets: OutputSecrets, failed?: Prior): Promise<void> {
  if (failed) {
    const attempt = attemptOf(data);
    const all = failed.value === null ? undefined : toOutput(schema.block, failed.value, { fqn: data.fqn, secrets });
    const output = recordable(data, all);
    const left = holdsUnsealable(data, secrets, failed.private) ? await withFormerBytes(data, failed) : failed;
    const rest = output !== undefined && { ...recordedOf(data, schema, secrets, left), output };
    await data.set(LEFT, { attempt, ...rest });
  } else if ((await data.get(LEFT)) !== undefined) await data.delete(LEFT);
}

/**
 * Uses the private bytes of the last success. A create has none: most providers do not need them to find and delete
 * leftovers.
 */
async function withFormerBytes(data: Data, failed: Prior): Promise<Prior> {
  const { private: bytes = NOTHING.private } = (await data.get<RecordedBeside>(KEPT)) ?? {};
  return { ...failed, private: Secret.unwrap(bytes) };
}

/** Records an attempt that failed before its provider changed anything. Earlier leftovers stay. */
export async function keepUntried(data: Data): Promise<void> {
  await data.set(LEFT, { ...(await data.get<RecordedFailure>(LEFT)), attempt: attemptOf(data) });
}

function attemptOf({ token, attempt }: Data): string {
  return `${token} ${attempt}`;
}

/** Converts an output to a value of the schema that it was made with. */
export function recordedValue(schema: Schema, output: unknown, types: OwnTypes): CtyValue {
  return stateOf(schema.block, unwrapped(output), types);
}

function complete({ version = 0, private: bytes = new Uint8Array(), types = {} }: Recorded = {}): Kept {
  return { version, private: Secret.unwrap(bytes), types };
}

function recordedOf(
  data: Data,
  { version, block }: Schema,
  secrets: OutputSecrets,
  { private: bytes, value }: Prior,
): Recorded {
  const types = ownTypes(block, value);
  return {
    ...(version === 0 ? {} : { version }),
    ...(bytes.length === 0 ? {} : { private: sealedIfSecret(data, secrets, bytes) }),
    ...(Object.keys(types).length === 0 ? {} : { types }),
  };
}

/**
 * Seals bytes that contain a secret if there is a key. Without one they stay as they are, because the provider needs
 * them.
 */
function sealedIfSecret(
  { scope, redact }: Data,
  { texts }: OutputSecrets,
  bytes: Uint8Array,
): Uint8Array | Secret<Uint8Array> {
  const text = Buffer.from(bytes).toString();
  return hasKeyFor(scope) && (redact(text) !== text || holds(text, texts)) ? new Secret(bytes, "private") : bytes;
}
