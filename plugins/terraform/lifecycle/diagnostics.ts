/** What a provider says beside its answers, for people: in the names that the program has for its props. */
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

/** Whose answer it is. */
export interface Answering {
  /** E.g. `cyrilgdn/postgresql`. */
  readonly provider: string;
  /** What the paths lead into. */
  readonly level: Level;
  /** True if the provider is configured as recorded, and not by the program of this run. */
  readonly isUndeclared?: boolean;
  /** Of the program. */
  readonly undefinedProps?: readonly UndefinedProp[];
  log(message: string): void;
}

/**
 * Logs warnings.
 *
 * @param answer the value that came with the diagnostics: they may quote what is sensitive in it
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

/** Undefined where there is no error. @param answer as of {@link checkDiagnostics} */
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

/** A provider that misses a prop, or one of several, cannot know that the program has passed it as undefined. */
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
  return `The engine used the recorded configuration of ${provider}. If its credentials have changed, run this with the program that configures the provider.`;
}

function wordsIn(text: string): readonly string[] {
  return text.match(/[\w-]+/g) ?? [];
}

function textOf({ level }: Answering, { summary, detail, path }: Diagnostic): string {
  const where = path.length === 0 ? "" : `${programPathText(programPath(level, path))}: `;
  const more = detail === "" || detail === summary ? "" : `${/[.!?:]$/.test(summary) ? "" : "."} ${detail}`;
  return `${where}${summary}${more}`;
}

/** A resource of a provider, and the provider that answers for it. */
export interface Subject extends Answering {
  readonly client: ProviderClient;
  readonly source: string;
  readonly typeName: string;
  readonly schema: Schema;
  readonly signal: AbortSignal;
  /** Texts that the provider is configured with, and are secrets. */
  readonly configured: readonly string[];
}

/** What a provider may not do, and has done. */
export function refuseViolations(
  subject: Subject,
  isLegacy: boolean,
  how: string,
  violations: readonly Problem[],
): void {
  if (violations.length === 0) return;
  const texts = violations.map(
    ({ path, message }) => `${programPathText(programPath(subject.level, path))} ${message}`,
  );
  const what = `${how}: ${texts.join("; ")}`;
  if (!isLegacy) throw providerFault(subject, what);
  // Providers made with the older kit are known to be inexact, and are borne.
  subject.client.note("warn", faultText(subject, what));
}

/** @throws EngineError `PROVIDER_FAILED` where a provider gives back what is for writing only */
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
  return `${provider} ${what} (${typeName}). This is a bug in the provider: report it to its publisher.`;
}
