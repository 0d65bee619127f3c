/** Finds the configuration with which a provider plans no change of a recorded resource. */
import { isEngineError, messageOf } from "../../../core/base/index.js";
import { type CtyValue, memberOf, shown } from "../../terraform/cty/index.js";
import { type Planned, type Prior, planChange } from "../../terraform/lifecycle/change.js";
import type { Subject } from "../../terraform/lifecycle/diagnostics.js";
import type { ProviderClient } from "../../terraform/protocol/index.js";
import {
  blocksOf,
  differences,
  isComputedOnly,
  type Level,
  namesOf,
  programPathText,
} from "../../terraform/schema/index.js";
import { candidate, NOTHING_TAKEN, type Taken } from "./candidate.js";
import { isEmpty } from "./choices.js";
import type { SettledValue } from "./replay.js";

/** A configuration with which the provider plans no change. */
export interface Guessed extends Pick<SettledValue, "config" | "plan">, Taken {}

/** Rounds of adding members that the provider would otherwise change. */
const ROUNDS = 6;
/** Most plans of one resource that look for the choices that the provider accepts. */
const MOST_PLANS = 40;

/**
 * Guesses the configuration of a resource, and asks its provider for plans until one changes nothing.
 *
 * @param hoped names of the choices to take if the provider accepts them
 * @param first the outcome of the first plan, if it is known
 * @throws EngineError `PROVIDER_FAILED` if the provider ends
 */
export async function guessed(
  subject: Subject,
  prior: Prior,
  hoped: readonly string[],
  first: Guessed | Changed | undefined,
): Promise<Guessed | { readonly why: string }> {
  const whole = await inRounds(subject, prior, hoped, first);
  if (!("why" in whole) && whole.chosen.size === hoped.length) return whole;
  const lean = hoped.length === 0 ? whole : await inRounds(subject, prior, []);
  const found = "why" in lean ? whole : await withMost(subject, prior, lean, hoped);
  if (!("why" in found)) return found;
  const { block } = subject.schema;
  const names = [...Object.keys(block.attributes), ...blocksOf(block).map(([name]) => name)];
  const tried = await plannedWith(subject, prior, { ...NOTHING_TAKEN, whole: new Set(names) });
  return "changed" in tried ? { why: found.why || tried.why } : tried;
}

async function inRounds(
  subject: Subject,
  prior: Prior,
  names: readonly string[],
  first?: Guessed | Changed,
): Promise<Guessed | { readonly why: string }> {
  const [whole, chosen] = [new Set<string>(), new Set(names)];
  let why = "";
  for (let round = 0; round < ROUNDS; round++) {
    const tried = (round === 0 && first) || (await plannedWith(subject, prior, { whole, chosen }));
    if (!("changed" in tried)) return tried;
    why ||= tried.why;
    const more = tried.changed.filter((name) => !whole.has(name));
    if (more.length === 0) break;
    // A choice that the provider would change was not one. A refusal often names members of which it takes only one.
    for (const name of tried.isRefusal ? more.slice(0, 1) : more) if (!chosen.delete(name)) whole.add(name);
  }
  return { why };
}

/** Adds as many choices as the provider accepts: all of a list, or else its halves. */
async function withMost(subject: Subject, prior: Prior, lean: Guessed, names: readonly string[]): Promise<Guessed> {
  let found = lean;
  const lists = [names];
  for (let plans = 0; plans < MOST_PLANS; plans++) {
    const list = lists.pop();
    if (!list) break;
    const tried = await plannedWith(subject, prior, {
      whole: found.whole,
      chosen: new Set([...found.chosen, ...list]),
    });
    if (!("changed" in tried)) found = tried;
    else if (list.length > 1) {
      const half = Math.ceil(list.length / 2);
      lists.push(list.slice(half), list.slice(0, half));
    }
  }
  return found;
}

export interface Changed {
  readonly why: string;
  /** Names of changed members of the outermost level, or of those that a refusal names. */
  readonly changed: readonly string[];
  readonly isRefusal?: true;
}

/** Plans the configuration that has the members of {@link Taken}. */
export async function plannedWith(subject: Subject, prior: Prior, taken: Taken): Promise<Guessed | Changed> {
  const tried = await plannedFor(subject, candidate(subject.schema.block, prior.value, taken), prior);
  return "changed" in tried ? tried : { ...tried, ...taken };
}

export async function plannedFor(
  subject: Subject,
  config: CtyValue,
  prior: Prior,
): Promise<Pick<SettledValue, "config" | "plan"> | Changed> {
  const { block } = subject.schema;
  let planned: Planned;
  try {
    planned = await planChange(subject, config, prior);
  } catch (error) {
    if (isOfEnd(error, subject.client)) throw error;
    const message = messageOf(error);
    const changed = namedIn(message, block, prior.value);
    return { why: `its provider refuses its props: ${message}`, changed, isRefusal: true };
  }
  if (planned.action === "unchanged") {
    const { plannedPrivate, isLegacy } = planned;
    // The planned value equals the recorded one. A second copy of each would take as much memory again.
    const plan = {
      planned: prior.value,
      plannedPrivate,
      hasLegacyTypes: isLegacy,
      requiresReplace: [],
      diagnostics: [],
    };
    return { config, plan };
  }
  const all = differences(block, prior.value, planned.planned);
  const { toProvider } = namesOf(block);
  const texts = all.slice(0, 5).map(({ path, before, after, isKnown, isSensitive }) => {
    const value = (one: unknown): string => (one === undefined ? "nothing" : shown(one as CtyValue));
    const change = isSensitive ? "a secret changes" : `${value(before)} → ${isKnown ? value(after) : "a new value"}`;
    return `${programPathText(path)}: ${change}`;
  });
  const changed = all.map(({ path: [name] }) => toProvider.get(String(name)) ?? String(name));
  return { why: `its provider would change it (${texts.join("; ")})`, changed: [...new Set(changed)] };
}

/** Returns the members that a message names and that could be configured with their recorded values. */
function namedIn(message: string, block: Level, value: CtyValue): readonly string[] {
  const { toProgram } = namesOf(block);
  const words = new Set(message.match(/[\w-]+/g));
  return Object.entries(block.attributes).flatMap(([name, attribute]) => {
    const own = memberOf(value, name) ?? null;
    const says = own !== null && !isComputedOnly(attribute) && !(attribute.computed && isEmpty(own));
    return says && (words.has(name) || words.has(toProgram.get(name) ?? name)) ? name : [];
  });
}

/** True if an answer is missing because the process of the provider has ended, so that all further ones will be. */
export function isOfEnd(error: unknown, { hasEnded }: Pick<ProviderClient, "hasEnded">): boolean {
  return hasEnded && isEngineError(error, "PROVIDER_FAILED");
}
