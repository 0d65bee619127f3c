import { expect } from "vitest";
import type { AppliedChange, PlannedChange, ProviderClient } from "../../../../plugins/terraform/protocol/index.js";
import type { CtyRecord } from "../fixture/kind.ts";
import { valueOfSchema } from "../fixture/value-of-schema.ts";

/** Plans and creates a `fixture_behaviour` with these commands. */
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

/** A provider error with this message. */
export const failed = (message: RegExp): unknown =>
  expect.objectContaining({ code: "PROVIDER_FAILED", message: expect.stringMatching(message) });
