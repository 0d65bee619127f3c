/** Resource type of a provider as an engine type. */
import type { ResourceOptions, ResourceType } from "../../../core/contract/index.js";
import { Resource } from "../../../core/resource/index.js";
import { sealing } from "../sensitive/index.js";
import { create, remove, update } from "./carry-out.js";
import { forecast } from "./forecast.js";
import { moved, movesFrom } from "./move.js";
import { read } from "./read.js";
import type { Managed, ManagedOutput, ManagedProps } from "./subject.js";
import { givesSecrets } from "./unsealable.js";

/** @internal */
export function managedType(managed: Managed): ResourceType<ManagedOutput, ManagedProps> {
  const { kind, schema } = managed;
  return Resource<ManagedOutput, ManagedProps>(kind, {
    create: (context) => create(managed, context),
    update: (context) => update(managed, context),
    delete: (context) => remove(managed, context),
    read: (context) => (context.recordedKind === kind ? read(managed, context) : moved(managed, context)),
    // It is found by the id or state from its provider, never by name.
    recognizesOwn: true,
    refersByMember: true,
    ...sealing(schema?.block),
    movesFrom,
    plan: (context) => forecast(managed, context),
    givesSecrets: ({ props }) => schema !== undefined && givesSecrets(schema.block, props),
  });
}

/** Options for a resource of a provider. */
export interface ProviderResourceOptions extends ResourceOptions {
  /**
   * The provider's id of an existing resource to adopt, with `adopt: true` or `--adopt`. Without them it is an error,
   * unless the resource is recorded. Also finds a resource that an interrupted update renamed.
   */
  readonly importId?: string;
  /**
   * Creates the resource if its provider finds nothing by {@link importId}. Default: false, which makes that an error.
   */
  readonly createIfMissing?: boolean;
  /**
   * A replace creates the new resource before it deletes the old one. Default: false, because most names can be used
   * only once.
   */
  readonly createBeforeDestroy?: boolean;
}
