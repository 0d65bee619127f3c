/** Diagnostics of a provider as messages, in the names that the program uses for its props. */
import { EngineError } from "../../../core/base/index.js";
import type { CtyValue, Problem } from "../cty/index.js";
import type { Diagnostic, ProviderClient } from "../protocol/index.js";
import {
  type Level,
  programPath,
  programPathText,
  type Schema,
  type UndefinedProp,
  writeOnlyPaths,
} from "../schema/index.js";
import { maskSensitive } from "./values.js";

/** The source of an answer. */
export interface Answering {
  /** E.g. `cyrilgdn/postgresql`. */
  readonly provider: string;
  /** Schema that the paths refer to. */
  readonly level: Level;
  /** True if the configuration comes from the state, not from the program of this run. */
  readonly isUndeclared?: boolean;
  /** Props that the program passes as undefined. */
  readonly undefinedProps?: readonly UndefinedProp[];
  log(message: string): void;
}

/**
 * Logs warnings, and throws errors.
 *
 * @param answer the value that came with the diagnostics, which may quote its sensitive parts
 * @throws EngineError `PROVIDER_REFUSED` with all errors
 */
export function checkDiagnostics(
  answering: Answering,
  diagnostics: readonly Diagnostic[],
  answer: CtyValue = null,
): void {
  if (diagnostics.length === 0) return;
  maskSensitive(answering.level, answer);
  for (const one of diagnostics) if (one.severity === "warning") answering.log(`warning: ${textOf(answering, one)}`);
  const failure = refusal(answering, diagnostics, answer);
  if (failure) throw failure;
}

/** Returns one error for all; undefined if there is none. @param answer as of {@link checkDiagnostics} */
export function refusal(
  answering: Answering,
  diagnostics: readonly Diagnostic[],
  answer: CtyValue = null,
): EngineError | undefined {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return undefined;
  maskSensitive(answering.level, answer);
  const said = errors.map((error) => textOf(answering, error)).join("\n");
  return new EngineError(
    "PROVIDER_REFUSED",
    `${answering.provider}: ${[said, ...causes(answering, errors)].join("\n")}`,
  );
}

/**
 * Adds causes that the provider cannot know: props that the program passed as undefined, and a recorded configuration.
 */
function causes(
  { undefinedProps = [], isUndeclared = false, provider }: Answering,
  errors: readonly Diagnostic[],
): readonly string[] {
  const words = new Set(
    errors.flatMap(({ summary, detail, path }) => [...wordsIn(summary), ...wordsIn(detail), ...path]),
  );
  const missing = undefinedProps
    .filter(({ name }) => words.has(name))
    .map(({ path }) => `The program passes undefined as "${programPathText(path)}".`);
  return isUndeclared ? [...missing, recordedHint(provider)] : missing;
}

function recordedHint(provider: string): string {
  return `The engine used the recorded configuration of ${provider}. If its credentials have changed, run the command with the program that configures the provider.`;
}

function wordsIn(text: string): readonly string[] {
  return text.match(/[\w-]+/g) ?? [];
}

function textOf({ level }: Answering, { summary, detail, path }: Diagnostic): string {
  const where = path.length === 0 ? "" : `${programPathText(programPath(level, path))}: `;
  const more = detail === "" || detail === summary ? "" : `${/[.!?:]$/.test(summary) ? "" : "."} ${detail}`;
  return `${where}${summary}${more}`;
}

/** A resource and its running provider. */
export interface Subject extends Answering {
  readonly client: ProviderClient;
  readonly source: string;
  readonly typeName: string;
  readonly schema: Schema;
  readonly signal: AbortSignal;
  /** Secret texts in the configuration of the provider. */
  readonly configured: readonly string[];
}

/** Throws an error for violations by the provider. Only logs them for a provider of the older kit. */
export function refuseViolations(
  subject: Subject,
  isLegacy: boolean,
  how: string,
  violations: readonly Problem[],
): void {
  if (violations.length === 0) return;
  const texts = violations.map(
    ({ path, message }) => `${programPathText(programPath(subject.level, path))} ${message.replace(/\.$/, "")}`,
  );
  const what = `${how}: ${texts.join("; ")}`;
  if (!isLegacy) throw providerFault(subject, what);
  // Providers of the older kit are known to be inexact, so their violations are tolerated.
  subject.client.note("warn", faultText(subject, what));
}

/** @throws EngineError `PROVIDER_FAILED` if a provider returns a write-only value */
export function refuseWritten(subject: Subject, value: CtyValue): void {
  const [path] = writeOnlyPaths(subject.schema.block, value);
  if (path === undefined) return;
  const prop = programPathText(programPath(subject.level, path));
  throw providerFault(subject, `returned "${prop}", which is write-only`);
}

export function providerFault(subject: Subject, what: string): EngineError {
  return new EngineError("PROVIDER_FAILED", faultText(subject, what));
}

function faultText({ provider, typeName }: Subject, what: string): string {
  return `${provider} (${typeName}) ${what}. This is a bug in the provider. Report it to the publisher of the provider.`;
}
