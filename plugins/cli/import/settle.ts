/** Settles the props of one resource: those with which its provider plans no change. */
import { isEngineError, messageOf } from "../../../core/base/index.js";
import type { RecordedValue, Refusal } from "../../import/contract.js";
import { type CtyValue, isNull } from "../../terraform/cty/index.js";
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
import { candidate, requiredWriteOnly } from "./candidate.js";
import type { SettledValue } from "./replay.js";

/** A type of a provider, and its running provider. */
export interface SettlingType {
  readonly provider: string;
  readonly source: string;
  readonly client: ProviderClient;
  readonly schema: Schema;
}

export interface Settled {
  readonly value: SettledValue;
  readonly refusal?: undefined;
}

const APPLY = "Apply the old configuration once, so that its state is up to date, and import again.";

export async function settle(
  { address, type: typeName, value: recorded }: ProviderResource,
  of: SettlingType,
): Promise<Settled | { readonly refusal: Refusal }> {
  const subject = subjectOf(of, typeName);
  const { block, version } = of.schema;
  const refuse = (reason: string, advice: string) => ({ refusal: { address, reason, advice } });
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
      ? refuse(
          `its provider does not find "${recorded.importId}": ${error.message}`,
          "Correct the id, or leave it out.",
        )
      : refuse(`its provider refuses its recorded value: ${error.message}`, APPLY);
  }
  if (prior.value === null) return refuse("its provider finds nothing with its id", "Remove it from the source.");
  const guess = await guessed(subject, prior);
  if ("why" in guess) return refuse(guess.why, APPLY);
  return { value: { address, typeName, value: prior.value, private: prior.private, ...guess } };
}

function subjectOf({ provider, source, client, schema }: SettlingType, typeName: string): Subject {
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

type Guess = Pick<SettledValue, "config" | "plan"> | { readonly why: string };

/** Rounds of adding members that the provider would otherwise change. */
const ROUNDS = 6;

async function guessed(subject: Subject, prior: Prior): Promise<Guess> {
  const { block } = subject.schema;
  const whole = new Set<string>();
  let why = "";
  for (let round = 0; round < ROUNDS; round++) {
    const config = candidate(block, prior.value, { whole });
    const tried = await plannedFor(subject, config, prior);
    if ("plan" in tried) return { config, plan: tried.plan };
    why ||= tried.why;
    const more = tried.changed.filter((name) => !whole.has(name));
    if (more.length === 0) break;
    for (const name of more) whole.add(name);
  }
  const names = [...Object.keys(block.attributes), ...blocksOf(block).map(([name]) => name)];
  const config = candidate(block, prior.value, { whole: new Set(names) });
  const tried = await plannedFor(subject, config, prior);
  return "plan" in tried ? { config, plan: tried.plan } : { why: why || tried.why };
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
): Promise<{ readonly plan: PlannedChange } | Changed> {
  const { block } = subject.schema;
  let planned: Planned;
  try {
    planned = await planChange(subject, config, prior);
  } catch (error) {
    return { why: `its provider refuses its props: ${messageOf(error)}`, changed: [] };
  }
  if (planned.action === "unchanged") {
    const { planned: value, plannedPrivate, isLegacy } = planned;
    return { plan: { planned: value, plannedPrivate, hasLegacyTypes: isLegacy, requiresReplace: [], diagnostics: [] } };
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
