/** What opens the secrets of a stage from now on. */
import type { EnginePlugin, KeyCommand } from "../contract/index.js";

/**
 * What is to open secrets from now on: a password or a key. What opens them at present is what the admin was made with
 * (`password`, `key`).
 */
export interface RotationOptions {
  readonly newPassword?: string;
  /** In place of a new password; as the option `key` of `engine()`. */
  readonly newKey?: string | KeyCommand;
  /** Path of the scope whose own password or key it is, e.g. `"tenants/acme"`. Default: that of the app. */
  readonly scope?: string;
  /**
   * What opens that scope at present, where the app has a password or key besides: that one is needed as well, for it seals the
   * state. Default: the `password` or `key` of the admin.
   */
  readonly scopePassword?: string;
  readonly scopeKey?: string | KeyCommand;
  /** Cost of scrypt (N) for the new key, a power of two from 2^14 to 2^19. Default: 2^17. */
  readonly cost?: number;
}

/** Loads and closes the state once, with this plugin. */
export type RunWith = (plugin: EnginePlugin) => Promise<void>;
