/** One error for a provider whose process has ended: each question to it says the same. */
import { EngineError, isEngineError, RunFailedError } from "../../../core/base/index.js";
import type { ImportedResource } from "../../import/contract.js";
import { sourceName } from "../../terraform/lifecycle/source-name.js";

/** A question that the provider did not answer. */
export interface Unanswered {
  readonly resource: ImportedResource;
  readonly error: EngineError;
}

/** Most resources that the message names. */
const SHOWN = 10;

/** Only one of the resources is the cause. */
export function providerEnded(
  all: readonly Unanswered[],
  adviceFor: (resource: ImportedResource) => string | undefined,
): EngineError {
  const { resource, error } = all[0] as Unanswered;
  // A question after the end has no cause.
  const asked = all.flatMap((one) => (one.error.cause === undefined ? [] : one.resource.address));
  const more = asked.length > SHOWN ? `, and ${asked.length - SHOWN} more` : "";
  const advice = adviceFor(resource);
  return ended(error, sourceName(resource.provider?.source ?? ""), {
    before: asked.length === 0 ? [] : [`It was being asked about ${asked.slice(0, SHOWN).join(", ")}${more}.`],
    after: advice === undefined ? [] : [advice],
  });
}

/** Returns one error if a run failed only because a provider ended: each of its data sources asks the provider. */
export function endedInRun(error: unknown): unknown {
  const all = error instanceof RunFailedError ? error.errors : [error];
  const [first] = all;
  const isEnd = isEngineError(first) && all.every((one) => isEngineError(one, "PROVIDER_FAILED"));
  return isEnd ? ended(first, "NAME") : error;
}

interface Around {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

function ended(cause: EngineError, name: string, { before, after }: Around = { before: [], after: [] }): EngineError {
  const lines = [
    `This command recorded nothing. ${cause.message}`,
    ...before,
    `Run the same command again. If the provider ends again, add another version of it first: engine add ${name}@VERSION.`,
    ...after,
  ];
  return new EngineError("PROVIDER_FAILED", lines.join("\n"), { cause });
}
