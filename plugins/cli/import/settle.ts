/** Settles the props of one resource: those with which its provider plans no change. */
import { isEngineError } from "../../../core/base/index.js";
import type { RecordedValue, Refusal } from "../../import/contract.js";
import { type CtyValue, decodeJson, encode, isEqual, memberOf, recordOf } from "../../terraform/cty/index.js";
import { NOTHING, type Prior } from "../../terraform/lifecycle/change.js";
import { checkDiagnostics, type Subject } from "../../terraform/lifecycle/diagnostics.js";
import type { ProviderClient } from "../../terraform/protocol/index.js";
import { blocksOf, impliedType, namesOf, normalized, type Schema } from "../../terraform/schema/index.js";
import type { ProviderResource } from "./bridged-state.js";
import { NOTHING_TAKEN, requiredWriteOnly } from "./candidate.js";
import { choicesOf } from "./choices.js";
import { type Guessed, guessed, isOfEnd, plannedFor, plannedWith } from "./guess-config.js";
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

/** Advice for a resource that its provider would change. */
function adviceFor({ value }: ProviderResource): string {
  return value.by === "id"
    ? `Leave it out of the list, and declare it in the program with { adopt: true, importId: "${value.importId}" }, whose run makes the change.`
    : "Apply the old configuration once, so that its state is up to date, and import again.";
}

/**
 * @throws EngineError `PROVIDER_FAILED` if the provider ends, which says nothing about the resource
 */
export async function settle(
  resource: ProviderResource,
  of: SettlingType & { readonly refused: ReadonlySet<string> },
): Promise<Settled | { readonly refusal: Refusal }> {
  const { address, type: typeName, value: recorded } = resource;
  const subject = subjectOf(of, typeName);
  const { block, version } = of.schema;
  const advice = adviceFor(resource);
  const isListed = recorded.by === "id";
  const refuse = (reason: string, advice: string) => ({ refusal: { address, reason, advice } });
  const byProvider = (reason: string, advice: string) =>
    refuse(reason, of.advice === undefined ? advice : `${advice} ${of.advice}`);
  const missing = requiredWriteOnly(block);
  if (missing.length > 0)
    return refuse(
      `it needs ${missing.join(", ")}, which no ${isListed ? "provider returns" : "state holds"}`,
      `${isListed ? "Leave it out of the list" : "Leave it to the old tool"}, or declare it in the program and adopt it with importId.`,
    );
  if (recorded.by === "state" && recorded.schemaVersion > version)
    return refuse(
      `a newer version of its provider recorded it (schema ${recorded.schemaVersion}, this one has ${version})`,
      `Name that version in the lock file of the old tool, or add it first: engine add ${of.provider}@VERSION.`,
    );
  const { refused } = of;
  const configured = recorded.by === "state" && recorded.configured ? new Set(recorded.configured) : undefined;
  const choicesFor = (value: CtyValue) => {
    const choices = choicesOf(block, value, configured);
    return { ...choices, hoped: choices.chosen.filter((name) => !refused.has(name)) };
  };
  type Hoped = ReturnType<typeof choicesFor>;
  const settledAs = (prior: Prior, { chosen, left }: Hoped, { config, plan, ...taken }: Guessed): Settled => {
    const isSet = (name: string): boolean => taken.chosen.has(name) || taken.whole.has(name);
    return {
      value: { address, typeName, value: prior.value, private: prior.private, config, plan, advice },
      chosen: chosen.filter(isSet),
      left: [...left, ...chosen].filter((name) => !isSet(name)),
      refused: chosen.filter((name) => !isSet(name)),
    };
  };
  // Most providers need not be asked to upgrade the value.
  const kept = isListed ? undefined : asRecorded(of.schema, recorded);
  const early = kept && choicesFor(kept.value);
  const first = early && (await plannedWith(subject, kept, { ...NOTHING_TAKEN, chosen: new Set(early.hoped) }));
  if (first && !("why" in first)) return settledAs(kept, early, first);
  let prior: Prior;
  try {
    prior = isListed ? await found(subject, recorded.importId) : await upgraded(subject, recorded);
  } catch (error) {
    if (!isEngineError(error) || isOfEnd(error, of.client)) throw error;
    return isListed
      ? byProvider(
          `its provider does not find "${recorded.importId}": ${error.message}`,
          "Correct the id, or leave it out.",
        )
      : byProvider(`its provider refuses its recorded value: ${error.message}`, advice);
  }
  if (prior.value === null) return byProvider("its provider finds nothing with its id", "Remove it from the source.");
  const choices = choicesFor(prior.value);
  const type = impliedType(block);
  const isTried = kept !== undefined && Buffer.compare(encode(type, prior.value), encode(type, kept.value)) === 0;
  const guess = await guessed(subject, prior, choices.hoped, isTried ? first : undefined);
  return "why" in guess ? byProvider(guess.why, advice) : settledAs(prior, choices, guess);
}

/** Returns the subject of questions to a provider. */
export function subjectOf({ provider, source, client, schema }: SettlingType, typeName: string): Subject {
  const { signal } = new AbortController();
  const common = { isUndeclared: false, undefinedProps: [], configured: [], log: () => {} };
  return { ...common, provider, source, level: schema.block, client, typeName, schema, signal };
}

/**
 * Returns a value that the present version of the schema recorded. Undefined if only its provider can read it: its
 * members are those of another version, or the older kit would complete its blocks.
 */
function asRecorded({ block, version }: Schema, recorded: RecordedValue): Prior | undefined {
  const { json, schemaVersion, private: bytes } = recorded;
  if (json === undefined || schemaVersion !== version) return undefined;
  const type = impliedType(block);
  try {
    const value = decodeJson(type, Buffer.from(json), { isWhole: true });
    const isComplete =
      value !== null && (blocksOf(block).length === 0 || isEqual(type, value, normalized(block, value)));
    return isComplete ? { value, private: bytes ?? NOTHING.private } : undefined;
  } catch (error) {
    if (isEngineError(error)) return undefined;
    throw error;
  }
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
