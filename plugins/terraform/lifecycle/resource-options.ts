import type { ResourceOptions } from "../../../core/contract/index.js";

/** Options of a resource of a provider. */
export interface ProviderResourceOptions extends ResourceOptions {
  /**
   * The provider's id of what exists already, which is taken over: with `adopt: true`, or `--adopt`. Without that it is an error, unless
   * the resource is recorded. Also finds what an interrupted update has renamed.
   */
  readonly importId?: string;
  /** Creates the resource if its provider has nothing by {@link importId}. Default: false, which makes that an error. */
  readonly createIfMissing?: boolean;
  /**
   * A replace makes the new one before the old one is deleted. Default: false, because most names can be taken once only.
   */
  readonly createBeforeDestroy?: boolean;
}
