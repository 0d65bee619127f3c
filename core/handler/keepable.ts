/** Whether what a handler is about to give can be recorded, as far as that is known before: else it makes what nobody knows of. */
import { type Definition, INTERNALS, SECRET_TO_COME } from "../contract/index.js";
import { handlersOf } from "./call.js";
import { encodeOutput, type Holder } from "./values.js";

export interface Maker extends Holder {
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
    return undefined; // A plan tells.
  }
  const encoded = encodeOutput(maker, uid, known);
  return encoded instanceof Promise ? encoded : undefined;
}

/** The same where the type says so, and nothing else is known. */
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
