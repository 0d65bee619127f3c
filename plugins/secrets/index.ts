/** Secrets: encrypted where they are recorded, and kept out of whatever people get to read; and states that only who has the key can write. */
import type { EnginePlugin } from "../../core/contract/index.js";
import { COST } from "./password.js";
import { secretsWith } from "./plugin.js";

/** How dear it is to derive a key from a password. */
export interface SecretsOptions {
  /** Cost of scrypt (N) for keys that are made from now on, a power of two from 2^14 to 2^19. Default: 2^17, a third of a second. */
  readonly cost?: number;
}

/**
 * Encrypts values made by `engine.secret()` wherever they are recorded, with the password or key of their scope; and seals the state of a
 * stage that has one: what somebody else has written is refused.
 *
 * @throws EngineError `INVALID_OPTION`; in a run `PASSWORD_REQUIRED` when a secret is met without one, or a sealed state is to be changed;
 * `KEY_INVALID`; `WRONG_PASSWORD`, `KEY_COMMAND_FAILED`, `STATE_FORGED`, `STATE_WENT_BACK` before the first handler and the first write
 */
export function secrets({ cost = COST }: SecretsOptions = {}): EnginePlugin {
  return secretsWith(cost);
}
