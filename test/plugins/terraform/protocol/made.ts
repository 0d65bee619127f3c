import { expect } from "vitest";
import type { AppliedChange, PlannedChange, ProviderClient } from "../../../../plugins/terraform/protocol/index.js";
import type { CtyRecord } from "../fixture/kind.ts";
import { valueOfSchema } from "../fixture/value-of-schema.ts";

/** Plans and makes a thing that does as it is told. */
export async function make(
  { client }: { readonly client: ProviderClient },
  given: CtyRecord,
  signal?: AbortSignal,
): Promise<{ readonly plan: PlannedChange; readonly applied: AppliedChange }> {
  const { resources } = await client.schema();
  const { type, value } = valueOfSchema(resources.fixture_behaviour!, { name: "b", value: "v", ...given });
  const common = { typeName: "fixture_behaviour", type, config: value, prior: null };
  const plan = await client.plan({ ...common, proposed: value, priorPrivate: new Uint8Array() }, signal);
  const { planned, plannedPrivate } = plan;
  return { plan, applied: await client.apply({ ...common, planned, plannedPrivate }, signal) };
}

/** An error of a provider that says this. */
export const failed = (message: RegExp): unknown =>
  expect.objectContaining({ code: "PROVIDER_FAILED", message: expect.stringMatching(message) });
