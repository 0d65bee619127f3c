/** Checks, before a handler runs, whether its output can be recorded: else it would make something that no record has. */
import { type Definition, INTERNALS, type ResourceRecord, SECRET_TO_COME } from "../contract/index.js";
import { type HandlerValues, handlersOf } from "./call.js";
import { encodeOutput, type ValueHolder } from "./values.js";

export interface Maker extends ValueHolder {
  readonly definition: Definition;
  /** Whose output it will be. */
  readonly record: ResourceRecord;
}

/**
 * A promise where a plugin needs time.
 *
 * @param values that the handler will be called with
 * @throws what a plugin that cannot encode it throws, e.g. EngineError `PASSWORD_REQUIRED`
 */
export function checkKeepable(maker: Maker, { props, output }: HandlerValues): Promise<unknown> | undefined {
  checkSecrets(maker, props);
  const { definition, scope, record } = maker;
  const { outputs } = handlersOf(definition, scope);
  const opener = scope[INTERNALS].options;
  // With a password or a key every secret can be encrypted.
  if (outputs === undefined || opener.password !== undefined || opener.key !== undefined) return undefined;
  let known: unknown;
  try {
    known = outputs({ props, output, physicalName: record.physicalName });
  } catch {
    return undefined; // A plan reports it.
  }
  const encoded = encodeOutput(maker, record.uid, known, record.output);
  return encoded instanceof Promise ? encoded : undefined;
}

/** The same for a type that says only that it gives secrets (`givesSecrets`). */
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
