/** Lists the stages of a fleet with their encoded inputs, before its first stage begins. */
import {
  checkName,
  EngineError,
  isEngineError,
  isRecord,
  messageOf,
  nodeCrypto,
  typeName,
  withResolvers,
} from "../../../core/base/index.js";
import { canonical } from "../../../core/codec/index.js";
import { validate } from "../../../core/contract/index.js";
import type { FleetCommand, FleetOptions, FleetStages, StageOutcome } from "../contract.js";
import { holdsSecret } from "../parts.js";
import { type FleetRecord, isDestroyed } from "../record.js";
import { RESERVED } from "../reserved.js";
import type { Listed } from "./order.js";
import { amountOf, type Wave, waveOf } from "./waves.js";

/** A stage to run. */
export interface Entry extends Listed {
  readonly command: FleetCommand;
  /** Its encoded input. */
  readonly input: string;
  /** Digest of it; undefined if it holds a secret. */
  readonly digest: string | undefined;
  /** Outcome of a stage that is not run: its input is not valid, or a plan need not run it. */
  readonly settled?: StageOutcome;
}

type Definition = Pick<FleetOptions<unknown>, "stages" | "input" | "limit" | "after">;

const NONE: readonly string[] = [];

/** Longest encoded input of a stage, in UTF-16 units. */
export const LONGEST_INPUT = 256 * 1024;

interface Listing {
  readonly waves: readonly Wave[];
  readonly record: FleetRecord;
  readonly command: FleetCommand;
  readonly signal: AbortSignal | undefined;
}

/**
 * Resolves with undefined if the signal is aborted, even if the list never ends.
 *
 * @throws EngineError `INVALID_NAME`, `INVALID_OPTION`, `UNSERIALIZABLE`, `PASSWORD_REQUIRED`; the errors of `stages`
 */
export async function listStages(
  fleet: string,
  definition: Definition,
  listing: Listing,
): Promise<readonly Entry[] | undefined> {
  const { signal } = listing;
  if (!signal) return list(fleet, definition, listing);
  const { promise, resolve } = withResolvers<undefined>();
  const stop = (): void => resolve(undefined);
  signal.addEventListener("abort", stop);
  try {
    return signal.aborted ? undefined : await Promise.race([list(fleet, definition, listing), promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

async function list(
  fleet: string,
  definition: Definition,
  { waves, record, command, signal }: Listing,
): Promise<readonly Entry[] | undefined> {
  const entries: Entry[] = [];
  const names = new Set<string>();
  for await (const given of stagesOf(fleet, definition)) {
    if (signal?.aborted) return undefined;
    const { stage, input } = checkedStage(given, entries.length);
    if (names.has(stage))
      throw invalid(`The stage ${JSON.stringify(stage)} is in the list twice. Nothing was started.`);
    names.add(stage);
    const refs = record.stage(stage)?.refs ?? [];
    const wave = waveOf(fleet, stage, waves);
    entries.push(await entryOf(fleet, definition, { stage, input, refs, wave, command, record }));
  }
  return entries;
}

/** Yields the stages as the definition gives them. */
async function* stagesOf(fleet: string, { stages }: Definition): AsyncIterable<unknown> {
  let found: unknown;
  try {
    found = typeof stages === "function" ? await stages() : stages;
    if (isIterable(found)) return yield* found;
  } catch (error) {
    throw functionFailed(fleet, "stages", error);
  }
  throw invalid(`The option "stages" of fleet() must give a list or an async iterable, not ${typeName(found)}.`);
}

function isIterable(value: unknown): value is FleetStages<unknown> {
  return typeof value === "object" && value !== null && (Symbol.asyncIterator in value || Symbol.iterator in value);
}

function functionFailed(fleet: string, name: string, cause: unknown, stage?: string): EngineError {
  const code = isEngineError(cause) ? cause.code : "INVALID_OPTION";
  const at = stage === undefined ? "" : ` for the stage ${JSON.stringify(stage)}`;
  const message = `The function "${name}" of the fleet "${fleet}" failed${at}, and nothing was started: ${messageOf(cause)}`;
  return new EngineError(code, message, { cause });
}

function checkedStage(given: unknown, index: number): { readonly stage: string; readonly input: unknown } {
  if (!isRecord(given) || !("stage" in given))
    throw invalid(`Item ${index} of the stages must be { stage, input }, not ${typeName(given)}. Nothing was started.`);
  const { stage } = given;
  checkName("stage", stage);
  checkStageName(stage);
  return { stage, input: "input" in given ? given.input : undefined };
}

interface Facts {
  readonly stage: string;
  readonly input: unknown;
  readonly refs: readonly string[];
  readonly wave: number;
  readonly command: FleetCommand;
  readonly record: FleetRecord;
}

async function entryOf(
  fleet: string,
  { input: schema, limit, after }: Definition,
  { stage, input, refs, wave, command, record }: Facts,
): Promise<Entry> {
  const base = { stage, refs, wave, command, key: "", after: NONE };
  let valid: unknown;
  try {
    valid = schema ? await validate(schema, input, `${fleet}/${stage}`, "input") : input;
  } catch (error) {
    // Destroy and drift do not use the input.
    const settled =
      command === "destroy" || command === "drift" ? {} : { settled: refused(messageOf(record.safe(error))) };
    return { ...base, input: "null", digest: undefined, ...settled };
  }
  const encoded = await record.encodeInput(stage, valid).catch((error: unknown) => {
    const code = isEngineError(error) ? error.code : "UNSERIALIZABLE";
    const message = `The input of the stage ${JSON.stringify(stage)} cannot be passed on, and nothing was started: ${messageOf(error)}`;
    throw new EngineError(code, message, { cause: error });
  });
  if (encoded.length > LONGEST_INPUT) {
    const message = `The input has ${encoded.length} characters, and at most ${LONGEST_INPUT} are allowed. Pass a reference to the data instead.`;
    return { ...base, input: "null", digest: undefined, settled: refused(message) };
  }
  const key = limit ? answerOf(fleet, "limit.key", stage, () => limit.key(valid, stage)) : "";
  if (typeof key !== "string")
    throw invalid(
      `The function "limit.key" of fleet() must return a string; for ${JSON.stringify(stage)} it returned ${typeName(key)}.`,
    );
  const names = after && answerOf(fleet, "after", stage, () => after(valid, stage));
  return { ...base, key, after: afterOf(names, stage), input: encoded, digest: digestOf(encoded) };
}

/** Calls a function of the definition. */
function answerOf(fleet: string, name: string, stage: string, call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    throw functionFailed(fleet, name, error, stage);
  }
}

function refused(message: string): StageOutcome {
  return { outcome: "failed", duration: 0, code: "INVALID_PROPS", message };
}

function afterOf(given: unknown, stage: string): readonly string[] {
  if (given === undefined) return NONE;
  const names: readonly unknown[] = Array.isArray(given) ? given : [given];
  return names.map((name) => {
    if (typeof name === "string") return name;
    throw invalid(
      `The function "after" of fleet() must return names of stages; for ${JSON.stringify(stage)} it returned ${typeName(name)}.`,
    );
  });
}

function invalid(message: string): EngineError {
  return new EngineError("INVALID_OPTION", message);
}

/** Returns the digest of an encoded input; undefined if it holds a secret, whose ciphertext differs each time. */
function digestOf(encoded: string): string | undefined {
  if (holdsSecret(encoded)) return undefined;
  return nodeCrypto()
    .createHash("sha256")
    .update(canonical(JSON.parse(encoded)))
    .digest("base64url")
    .slice(0, 22);
}

/** @throws EngineError `INVALID_NAME` */
function checkStageName(stage: string): void {
  if (!stage.startsWith(RESERVED)) return;
  throw new EngineError(
    "INVALID_NAME",
    `Invalid stage: ${JSON.stringify(stage)} begins with "${RESERVED}", which is reserved for the record of the fleet. Use another name.`,
  );
}

/** Returns the recorded stages that are not in the list. */
export function leftIn(record: FleetRecord, listed: readonly Entry[]): readonly string[] {
  const names = new Set(listed.map(({ stage }) => stage));
  const left = [...record.stages()].filter(([stage, known]) => !names.has(stage) && !isDestroyed(known));
  return left.map(([stage]) => stage);
}

interface Extra {
  readonly command: FleetCommand;
  readonly left: readonly string[];
  readonly record: FleetRecord;
  readonly waves: number;
  readonly listed: readonly Entry[];
}

/** A plan only counts the stages that an up would destroy. */
const DESTROYED: StageOutcome = { outcome: "changed", duration: 0 };

/** Returns the stages outside the list that the run destroys. @throws EngineError `TOO_MANY_DELETES` */
export function extraEntries({ prune }: FleetOptions<unknown>, given: Extra): readonly Entry[] {
  const { command, left, record, waves, listed } = given;
  const entry = (stage: string, wave: number): Entry => ({
    stage,
    ...(command === "plan" ? { command, settled: DESTROYED } : { command: "destroy" }),
    wave,
    key: "",
    after: [],
    isExtra: true,
    refs: record.stage(stage)?.refs ?? [],
    input: "null",
    digest: undefined,
  });
  if (command === "destroy") return left.map((stage) => entry(stage, 0));
  if ((command !== "up" && command !== "plan") || !prune || left.length === 0) return [];
  if (listed.length === 0)
    throw new EngineError(
      "TOO_MANY_DELETES",
      `The list of stages is empty, and "prune" would destroy all ${left.length} recorded stages. Nothing was started. To destroy them, use the command destroy.`,
    );
  const most = typeof prune === "object" ? prune.max : Number.POSITIVE_INFINITY;
  const recorded = [...record.stages()].filter(([, known]) => !isDestroyed(known)).length;
  const limit = Math.floor(amountOf(most, recorded));
  if (left.length > limit)
    throw new EngineError(
      "TOO_MANY_DELETES",
      `${left.length} recorded stages left the list, and "prune" allows ${limit} (max: ${most}). Nothing was started. Check the list of stages, or raise the limit.`,
    );
  return left.map((stage) => entry(stage, waves));
}
