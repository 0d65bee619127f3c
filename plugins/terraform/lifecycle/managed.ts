/** A resource type of a provider, as a type of the engine. */
import type { ResourceType } from "../../../core/contract/index.js";
import { Resource } from "../../../core/resource/index.js";
import { sealing } from "../sensitive/index.js";
import { create, remove, update } from "./carry-out.js";
import { forecast } from "./forecast.js";
import { givesSecrets } from "./gives-secrets.js";
import { moved, movesFrom } from "./move.js";
import { read } from "./read.js";
import type { Managed, ManagedOutput, ManagedProps } from "./subject.js";

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
