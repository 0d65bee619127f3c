/** Encodes and decodes props and outputs of records, each with the location that a plugin may bind it to. */
import { knownMembers, onMemberRead, type ResourceRef, unknownName } from "../base/index.js";
import { hasForeign, isPlainObject, type ValueLocation } from "../codec/index.js";
import {
  type Definition,
  type Encoded,
  INTERNALS,
  type ResourceRecord,
  type Scope,
  SECRET_TO_COME,
  type ValueSlot,
} from "../contract/index.js";
import type { App } from "../run/index.js";
import { type HandlerValues, handlersOf } from "./call.js";

/** A resource whose values are encoded or decoded. */
export interface ValueHolder {
  readonly app: App;
  readonly scope: Scope;
  readonly ref: ResourceRef;
}

/** Returns the props of the last success, or of the only attempt. */
export function goodProps(record: ResourceRecord): Encoded {
  return record.lastGood?.props ?? record.props;
}

/** Returns the output of the last success: `output` may be the rest that a delete has left. */
export function goodOutput(record: ResourceRecord): Encoded | undefined {
  return record.lastGood?.output ?? record.output;
}

/** @param record the present record with that uid */
export function encodeProps(
  holder: ValueHolder,
  uid: string,
  props: unknown,
  record?: ResourceRecord,
): Encoded | Promise<Encoded> {
  if (record === undefined) return holder.app.codec.encode(props, locationOf(holder, uid, "props"));
  const likely = goodProps(record);
  const location = locationOf(holder, uid, "props", likely, () => [likely, record.props]);
  return holder.app.codec.encode(props, location);
}

/** @param before the present recorded output */
export function encodeOutput(
  holder: ValueHolder,
  uid: string,
  output: unknown,
  before?: Encoded,
): Encoded | Promise<Encoded> {
  if (before === undefined) return holder.app.codec.encode(output, locationOf(holder, uid, "output"));
  const location = locationOf(holder, uid, "output", before, () => [before]);
  return holder.app.codec.encode(output, location);
}

/**
 * Continues with values, synchronously if none is a promise: resources are placed in the order of their declaration,
 * and each promise costs a turn.
 */
export function withAll<T>(
  values: readonly unknown[],
  next: (values: readonly unknown[]) => T,
): T | Promise<Awaited<T>>;

export function withAll<T>(values: readonly unknown[], next: (values: readonly unknown[]) => T): unknown {
  return values.some((value) => value instanceof Promise) ? Promise.all(values).then(next) : next(values);
}

/** Returns the value, or a promise of it. */
export function decodeProps(holder: ValueHolder, uid: string, encoded: Encoded): unknown {
  return holder.app.codec.decode(encoded, locationOf(holder, uid, "props"));
}

/** Returns the value, or a promise of it; undefined if no create has succeeded. */
export function decodeOutput(holder: ValueHolder, { uid, output }: Pick<ResourceRecord, "uid" | "output">): unknown {
  return output === undefined ? undefined : holder.app.codec.decode(output, locationOf(holder, uid, "output"));
}

/** Encodes the props of one record for another one. */
export function movedProps(
  holder: ValueHolder,
  from: string,
  to: string,
  encoded: Encoded,
): Encoded | Promise<Encoded> {
  return hasForeign(encoded) ? move(holder, from, to, encoded) : encoded;
}

async function move(holder: ValueHolder, from: string, to: string, encoded: Encoded): Promise<Encoded> {
  return encodeProps(holder, to, await decodeProps(holder, from, encoded));
}

// Written member by member, in one shape, because it is created for every resource of every run.
function locationOf(
  { scope, ref }: ValueHolder,
  owner: string,
  slot: ValueSlot,
  likely: Encoded | undefined = undefined,
  before: ValueLocation["before"] = undefined,
): ValueLocation {
  return { scope, fqn: ref.fqn, owner, slot, before, likely };
}

/**
 * Checks, before a handler runs, that its output can be recorded: otherwise it would create a resource without a
 * record.
 */
interface Maker extends ValueHolder {
  readonly definition: Definition;
  /** The record that will hold the output. */
  readonly record: ResourceRecord;
}

/**
 * Returns a promise if a plugin needs time.
 *
 * @param values that the handler will be called with
 * @throws the error of a plugin that cannot encode the output, e.g. EngineError `PASSWORD_REQUIRED`
 */
export function checkKeepable(maker: Maker, { props, output }: HandlerValues): Promise<unknown> | undefined {
  checkSecrets(maker, props);
  const { definition, scope, record } = maker;
  const { outputs } = handlersOf(definition, scope);
  const opener = scope[INTERNALS].options;
  // With a password or a key, every secret can be encrypted.
  if (outputs === undefined || opener.password !== undefined || opener.key !== undefined) return undefined;
  let known: unknown;
  try {
    known = outputs({ props, output, physicalName: record.physicalName });
  } catch {
    // A plan reports it.
    return undefined;
  }
  const encoded = encodeOutput(maker, record.uid, known, record.output);
  return encoded instanceof Promise ? encoded : undefined;
}

/** Does the same for a type that only declares that it returns secrets (`givesSecrets`). */
export function checkSecrets({ app, definition, ref, scope, record }: Maker, props: unknown): void {
  if (!definition.givesSecrets?.(props)) return;
  app.calls.encodeValue.call({
    value: SECRET_TO_COME,
    owner: record.uid,
    slot: "output",
    path: "",
    fqn: ref.fqn,
    scope,
    before: () => [],
    encode: () => null,
  });
}

/** Shorter values are equal by chance. */
const SHORTEST = 3;

/**
 * Returns an output with accessors as members. If the program reads a member and passes it in the props of another
 * resource, that is a reference to this one. The same applies to members of an output that a plan does not know, or
 * knows in part.
 *
 * @param key of its resource
 */
export function withNotedMembers(app: App, output: unknown, key: string): unknown {
  if (unknownName(output) !== undefined) {
    onMemberRead(output, (member) => note(app, member, key));
    return output;
  }
  if (typeof output !== "object" || output === null || !isPlainObject(output)) return output;
  const noted = {};
  for (const [name, value] of Object.entries(output)) {
    Object.defineProperty(noted, name, {
      enumerable: true,
      configurable: true,
      get() {
        note(app, value, key);
        return value;
      },
      set(other: unknown) {
        Object.defineProperty(noted, name, { value: other, enumerable: true, configurable: true, writable: true });
      },
    });
  }
  // Prints like the plain output.
  Object.defineProperty(noted, Symbol.for("nodejs.util.inspect.custom"), { value: () => output });
  return noted;
}

/** Notes a value and all its members. */
function note(app: App, value: unknown, key: string): void {
  if (unknownName(value) !== undefined) {
    // The text of an unknown value: the same for each copy of it, and in a template that contains nothing else.
    addMember(app, String(value), key);
    onMemberRead(value, (member) => note(app, member, key));
    for (const one of Object.values(knownMembers(value))) note(app, one, key);
  } else if (typeof value === "object" && value !== null) {
    app.outputs.set(value, key);
    if (Array.isArray(value) || isPlainObject(value)) for (const one of Object.values(value)) note(app, one, key);
  } else if (isNoted(value)) {
    addMember(app, value, key);
  }
}

function addMember({ run: { members } }: App, value: string | number, key: string): void {
  const known = members.get(value);
  if (known) known.add(key);
  else members.set(value, new Set([key]));
}

function isNoted(value: unknown): value is string | number {
  return (typeof value === "string" || typeof value === "number") && String(value).length >= SHORTEST;
}
