/** What is recorded of a resource beside its output: the version of the schema that it fits, and what its provider keeps to itself. */
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
  /** Of what tells its type itself, which an output does not. */
  readonly types: OwnTypes;
}

/** As it is recorded: what is usual is left out. */
interface Recorded {
  readonly version?: number;
  /** A secret if it contains one. */
  readonly private?: Uint8Array | Secret<Uint8Array>;
  readonly types?: OwnTypes;
}

/** A run may be killed when this is recorded and the output that it belongs to is not. */
interface RecordedBeside extends Recorded {
  /** Digest of that output, without its secrets. */
  readonly of: string;
  /** What belongs to the output before it. */
  readonly before: Recorded;
}

/** @param output as it is recorded */
export async function keptOf(data: Data, output: unknown): Promise<Kept> {
  const recorded = await data.get<RecordedBeside>(KEPT);
  return complete(recorded && recorded.of !== digestOf(output) ? recorded.before : recorded);
}

/** @param output to be recorded next */
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
  // The stage may have got its key since then.
  const bytes = before.private && { private: sealedIfSecret(data, secrets, Secret.unwrap(before.private)) };
  await data.set(KEPT, { ...recorded, of: digestOf(output), before: { ...before, ...bytes } });
}

function digestOf(output: unknown): string {
  return createHash("sha256").update(textOf(output)).digest("base64url").slice(0, 16);
}

/** The same whatever the order of its members. */
function textOf(value: unknown): string {
  if (isSecret(value)) return "secret";
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`;
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "";
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${textOf(member)}`);
  return `{${members.sort().join()}}`;
}

/** What a change that has failed has left. */
export interface Left extends Kept {
  readonly output: unknown;
}

/** Which attempt has failed; without an output it has left nothing. */
interface RecordedFailure extends Recorded {
  readonly attempt: string;
  readonly output?: unknown;
}

export async function leftOf(data: Data): Promise<Left | undefined> {
  const recorded = await data.get<RecordedFailure>(LEFT);
  return recorded?.output === undefined ? undefined : { ...complete(recorded), output: recorded.output };
}

/** True where the attempt that the context is about has failed, and said what it has left: one that was killed has not. */
export async function hasFailed(data: Data): Promise<boolean> {
  return (await data.get<RecordedFailure>(LEFT))?.attempt === attemptOf(data);
}

/** Without `failed` nothing is left any more. */
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

/** With the private bytes of the last success. After a create there are none: most providers need none to find and delete what is left. */
async function withFormerBytes(data: Data, failed: Prior): Promise<Prior> {
  const { private: bytes = NOTHING.private } = (await data.get<RecordedBeside>(KEPT)) ?? {};
  return { ...failed, private: Secret.unwrap(bytes) };
}

/** An attempt has failed before its provider was asked to do anything: it leaves what there was. */
export async function keepUntried(data: Data): Promise<void> {
  await data.set(LEFT, { ...(await data.get<RecordedFailure>(LEFT)), attempt: attemptOf(data) });
}

function attemptOf({ token, attempt }: Data): string {
  return `${token} ${attempt}`;
}

/** The value that an output stands for, in the schema that it was made by. */
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

/** Without a key no secret can be recorded, and the provider needs its bytes. */
function sealedIfSecret(
  { scope, redact }: Data,
  { texts }: OutputSecrets,
  bytes: Uint8Array,
): Uint8Array | Secret<Uint8Array> {
  const text = Buffer.from(bytes).toString();
  return hasKeyFor(scope) && (redact(text) !== text || holds(text, texts)) ? new Secret(bytes, "private") : bytes;
}
