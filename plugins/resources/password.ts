import { Resource } from "../../core/resource/index.js";
import { Secret } from "../secrets/secret.js";
import { type PasswordOutput, randomText, randomTextSchema } from "./random-string.js";

/** Props of {@link Password}. */
export interface PasswordProps {
  /** Number of characters, 1 to 4096. Default: 32. */
  readonly length?: number;
  /** The characters to choose from, at least two, each once. Default: letters and digits, both cases. */
  readonly alphabet?: string;
  /** Any value; a change of it makes a new password. */
  readonly keepers?: unknown;
}

/**
 * A random password, a secret, that stays the same from run to run until one of its props changes: then it is replaced.
 * To rotate it, change `keepers`.
 *
 * Every character is drawn from a cryptographic source, each with the same probability.
 *
 * @throws EngineError `INVALID_PROPS`; `PASSWORD_REQUIRED` where the scope has no password to encrypt it with
 *
 * @example
 * ```ts
 * const password = await Password("db-password", { length: 24, keepers: { rotated: "2026-05" } });
 * await Command("set-password", { command: ["sh", "-c", "…"], env: { PGPASSWORD: password.value } });
 * ```
 */
export const Password = Resource("random:Password", {
  schema: randomTextSchema<PasswordProps>(),
  // Nobody has seen the password of an interrupted create: another one is as good.
  idempotent: true,
  givesSecrets: true,
  create: ({ props, id }): PasswordOutput => ({ value: new Secret(randomText(props), id) }),
  outputs: () => ({}),
});
