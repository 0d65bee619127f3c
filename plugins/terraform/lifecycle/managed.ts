/** A resource type of a provider, as a type of the engine. */
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
    // By what its provider has told of it.
    recognizesOwn: true,
    refersByMember: true,
    ...sealing(schema?.block),
    movesFrom,
    plan: (context) => forecast(managed, context),
    givesSecrets: ({ props }) => schema !== undefined && givesSecrets(schema.block, props),
  });
}

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
