/** Checks, before a handler runs, whether its output can be recorded: else it would make something that no record has. */
import { type Definition, INTERNALS, SECRET_TO_COME } from "../contract/index.js";
import { handlersOf } from "./call.js";
import { encodeOutput, type ValueHolder } from "./values.js";

export interface Maker extends ValueHolder {
  readonly definition: Definition;
  /** Whose output it will be. */
  readonly uid: string;
}

/**
 * A promise where a plugin needs time.
 *
 * @param props decoded
 * @throws what a plugin that cannot encode it throws, e.g. EngineError `PASSWORD_REQUIRED`
 */
export function checkKeepable(maker: Maker, props: unknown): Promise<unknown> | undefined {
  checkSecrets(maker, props);
  const { definition, scope, uid } = maker;
  const { outputs } = handlersOf(definition, scope);
  const opener = scope[INTERNALS].options;
  // With a password or a key every secret can be encrypted.
  if (outputs === undefined || opener.password !== undefined || opener.key !== undefined) return undefined;
  let known: unknown;
  try {
    known = outputs({ props });
  } catch {
    return undefined; // A plan reports it.
  }
  const encoded = encodeOutput(maker, uid, known);
  return encoded instanceof Promise ? encoded : undefined;
}

/** The same for a type that says only that it gives secrets (`givesSecrets`). */
export function checkSecrets({ app, definition, ref, scope, uid }: Maker, props: unknown): void {
  if (!definition.givesSecrets?.(props)) return;
  app.calls.encodeValue.call({
    value: SECRET_TO_COME,
    owner: uid,
    slot: "output",
    path: "",
    fqn: ref.fqn,
    scope,
    before: () => [],
    encode: () => null,
  });
}
