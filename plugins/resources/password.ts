import { Resource } from "../../core/resource/index.js";
import { Secret } from "../secrets/secret.js";
import { type PasswordOutput, randomText, randomTextSchema } from "./random-string.js";

/** Props of {@link Password}. */
export interface PasswordProps {
  /** Number of characters, 1 to 4096. Default: 32. */
  readonly length?: number;
  /** At least two characters to choose from, each once. Default: letters and digits, both cases. */
  readonly alphabet?: string;
  /** Any value; a change of it makes a new password. */
  readonly keepers?: unknown;
}

/**
 * A random password, kept as a secret. It stays the same in every run until one of its props changes: then it is
 * replaced. To rotate it, change `keepers`.
 *
 * Every character is drawn from a cryptographic source, each with the same probability.
 *
 * @throws EngineError `INVALID_PROPS`; `PASSWORD_REQUIRED` if the scope has no password to encrypt it
 *
 * @example
 * ```ts
 * const password = await Password("db-password", { length: 24, keepers: { rotated: "2026-05" } });
 * await Command("set-password", { command: ["sh", "-c", "…"], env: { PGPASSWORD: password.value } });
 * ```
 */
export const Password = Resource("random:Password", {
  schema: randomTextSchema<PasswordProps>(),
  // No program has used the password of an interrupted create, so a new one does no harm.
  idempotent: true,
  givesSecrets: true,
  create: ({ props, id }): PasswordOutput => ({ value: new Secret(randomText(props), id) }),
  outputs: () => ({}),
});
