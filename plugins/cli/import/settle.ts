/** Settles the props of one resource: those with which its provider plans no change. */
import { isEngineError, messageOf } from "../../../core/base/index.js";
import type { RecordedValue, Refusal } from "../../import/contract.js";
import { type CtyValue, isNull, memberOf, recordOf } from "../../terraform/cty/index.js";
import { NOTHING, type Planned, type Prior, planChange } from "../../terraform/lifecycle/change.js";
import { checkDiagnostics, type Subject } from "../../terraform/lifecycle/diagnostics.js";
import type { PlannedChange, ProviderClient } from "../../terraform/protocol/index.js";
import {
  blocksOf,
  differences,
  impliedType,
  namesOf,
  programPathText,
  type Schema,
} from "../../terraform/schema/index.js";
import type { ProviderResource } from "./bridged-state.js";
import { candidate, requiredWriteOnly, type Taken } from "./candidate.js";
import { choicesOf } from "./choices.js";
import type { SettledValue } from "./replay.js";

/** A type of a provider, and its running provider. */
export interface SettlingType {
  readonly provider: string;
  readonly source: string;
  readonly client: ProviderClient;
  readonly schema: Schema;
  /** Advice for failures that a missing configuration of the provider may have. */
  readonly advice?: string;
}

export interface Settled {
  readonly value: SettledValue;
  /** Set members that the provider could compute, in its names, and members that are left to it. */
  readonly chosen: readonly string[];
  readonly left: readonly string[];
  /** Members that the provider did not accept, although they may be choices. */
  readonly refused: readonly string[];
  readonly refusal?: undefined;
}

const APPLY = "Apply the old configuration once, so that its state is up to date, and import again.";

export async function settle(
  { address, type: typeName, value: recorded }: ProviderResource,
  of: SettlingType & { readonly refused: ReadonlySet<string> },
): Promise<Settled | { readonly refusal: Refusal }> {
  const subject = subjectOf(of, typeName);
  const { block, version } = of.schema;
  const refuse = (reason: string, advice: string) => ({ refusal: { address, reason, advice } });
  const byProvider = (reason: string, advice: string) =>
    refuse(reason, of.advice === undefined ? advice : `${advice} ${of.advice}`);
  const missing = requiredWriteOnly(block);
  if (missing.length > 0)
    return refuse(
      `it needs ${missing.join(", ")}, which no state holds`,
      "Leave it to the old tool, or declare it in the program and adopt it with importId.",
    );
  if (recorded.by === "state" && recorded.schemaVersion > version)
    return refuse(
      `a newer version of its provider recorded it (schema ${recorded.schemaVersion}, this one has ${version})`,
      `Name that version in the lock file of the old tool, or add it first: engine add ${of.provider}@VERSION.`,
    );
  let prior: Prior;
  try {
    prior = recorded.by === "state" ? await upgraded(subject, recorded) : await found(subject, recorded.importId);
  } catch (error) {
    if (!isEngineError(error)) throw error;
    return recorded.by === "id"
      ? byProvider(
          `its provider does not find "${recorded.importId}": ${error.message}`,
          "Correct the id, or leave it out.",
        )
      : byProvider(`its provider refuses its recorded value: ${error.message}`, APPLY);
  }
  if (prior.value === null) return byProvider("its provider finds nothing with its id", "Remove it from the source.");
  const configured = recorded.by === "state" ? recorded.configured : undefined;
  const choices = choicesOf(block, prior.value, configured && new Set(configured));
  const guess = await guessed(subject, prior, choices.chosen, of.refused);
  if ("why" in guess) return byProvider(guess.why, APPLY);
  const { config, plan } = guess;
  const isSet = (name: string): boolean => guess.chosen.has(name) || guess.whole.has(name);
  return {
    value: { address, typeName, value: prior.value, private: prior.private, config, plan },
    chosen: choices.chosen.filter(isSet),
    left: [...choices.left, ...choices.chosen].filter((name) => !isSet(name)),
    refused: choices.chosen.filter((name) => !isSet(name)),
  };
}

/** Returns the subject of questions to a provider. */
export function subjectOf({ provider, source, client, schema }: SettlingType, typeName: string): Subject {
  const { signal } = new AbortController();
  const common = { isUndeclared: false, undefinedProps: [], configured: [], log: () => {} };
  return { ...common, provider, source, level: schema.block, client, typeName, schema, signal };
}

async function upgraded(subject: Subject, recorded: RecordedValue): Promise<Prior> {
  const { client, schema, typeName, signal } = subject;
  const { json, flatmap, schemaVersion: version, private: bytes } = recorded;
  const raw = json === undefined ? { flatmap: flatmap ?? {} } : { json: Buffer.from(json) };
  const type = impliedType(schema.block);
  const answer = await client.upgrade({ typeName, type, version, raw }, signal);
  checkDiagnostics(subject, answer.diagnostics, answer.value);
  return { value: answer.value, private: bytes ?? NOTHING.private };
}

/** Asks the provider for a resource of which only the id is known. */
async function found(subject: Subject, id: string): Promise<Prior> {
  const { client, schema, typeName, signal } = subject;
  const type = impliedType(schema.block);
  const answer = await client.import({ typeName, id, types: () => type }, signal);
  checkDiagnostics(subject, answer.diagnostics);
  const one = answer.imported.find((each) => each.typeName === typeName);
  if (!one) return NOTHING;
  const read = await client.read({ typeName, type, current: one.value, private: one.private }, signal);
  checkDiagnostics(subject, read.diagnostics, read.value);
  return read;
}

/** A configuration with which the provider plans no change. */
interface Guessed extends Pick<SettledValue, "config" | "plan">, Taken {}

/** Rounds of adding members that the provider would otherwise change. */
const ROUNDS = 6;
/** Most plans of one resource that look for the choices that the provider accepts. */
const MOST_PLANS = 40;

/** @param refused names that the provider did not accept for the first resource of the type */
async function guessed(
  subject: Subject,
  prior: Prior,
  chosen: readonly string[],
  refused: ReadonlySet<string>,
): Promise<Guessed | { readonly why: string }> {
  const hoped = chosen.filter((name) => !refused.has(name));
  const whole = await inRounds(subject, prior, hoped);
  if (!("why" in whole) && whole.chosen.size === hoped.length) return whole;
  const lean = hoped.length === 0 ? whole : await inRounds(subject, prior, []);
  const found = "why" in lean ? whole : await withMost(subject, prior, lean, hoped);
  if (!("why" in found)) return found;
  const { block } = subject.schema;
  const names = [...Object.keys(block.attributes), ...blocksOf(block).map(([name]) => name)];
  const all = { whole: new Set(names), chosen: new Set<string>() };
  const tried = await plannedFor(subject, candidate(block, prior.value, all), prior);
  return "changed" in tried ? { why: found.why || tried.why } : { ...tried, ...all };
}

async function inRounds(
  subject: Subject,
  prior: Prior,
  names: readonly string[],
): Promise<Guessed | { readonly why: string }> {
  const [whole, chosen] = [new Set<string>(), new Set(names)];
  let why = "";
  for (let round = 0; round < ROUNDS; round++) {
    const tried = await plannedFor(subject, candidate(subject.schema.block, prior.value, { whole, chosen }), prior);
    if (!("changed" in tried)) return { ...tried, whole, chosen };
    why ||= tried.why;
    const more = tried.changed.filter((name) => !whole.has(name));
    if (more.length === 0) break;
    // A choice that the provider would change was not one.
    for (const name of more) if (!chosen.delete(name)) whole.add(name);
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
    const taken = { whole: found.whole, chosen: new Set([...found.chosen, ...list]) };
    const tried = await plannedFor(subject, candidate(subject.schema.block, prior.value, taken), prior);
    if (!("changed" in tried)) found = { ...tried, ...taken };
    else if (list.length > 1) {
      const half = Math.ceil(list.length / 2);
      lists.push(list.slice(half), list.slice(0, half));
    }
  }
  return found;
}

interface Changed {
  readonly why: string;
  /** Names of changed members of the outermost level. */
  readonly changed: readonly string[];
}

async function plannedFor(
  subject: Subject,
  config: CtyValue,
  prior: Prior,
): Promise<Pick<SettledValue, "config" | "plan"> | Changed> {
  const { block } = subject.schema;
  let planned: Planned;
  try {
    planned = await planChange(subject, config, prior);
  } catch (error) {
    return { why: `its provider refuses its props: ${messageOf(error)}`, changed: [] };
  }
  if (planned.action === "unchanged") {
    const { planned: value, plannedPrivate, isLegacy } = planned;
    const plan: PlannedChange = {
      planned: value,
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
    const value = (one: unknown): string =>
      isNull(one as CtyValue) || one === undefined ? "nothing" : JSON.stringify(one, big);
    const change = isSensitive ? "a secret changes" : `${value(before)} → ${isKnown ? value(after) : "a new value"}`;
    return `${programPathText(path)}: ${change}`;
  });
  const changed = all.map(({ path: [name] }) => toProvider.get(String(name)) ?? String(name));
  return { why: `its provider would change it (${texts.join("; ")})`, changed: [...new Set(changed)] };
}

function big(_name: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}

/** Returns the value with a leaner configuration; undefined if the provider would change the resource then. */
export async function settledWithout(
  settled: SettledValue,
  names: readonly string[],
  of: SettlingType,
): Promise<SettledValue | undefined> {
  const { block } = of.schema;
  const { toProvider } = namesOf(block);
  const without = new Set(names.map((name) => toProvider.get(name) ?? name));
  const attributes = Object.keys(block.attributes).map((name): [string, CtyValue] => {
    return [name, without.has(name) ? null : memberOf(settled.config, name)];
  });
  const blocks = blocksOf(block).map(([name]): [string, CtyValue] => [name, memberOf(settled.config, name)]);
  const config = recordOf([...attributes, ...blocks]);
  const tried = await plannedFor(subjectOf(of, settled.typeName), config, settled);
  return "changed" in tried ? undefined : { ...settled, ...tried };
}
