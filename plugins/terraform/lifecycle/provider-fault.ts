/** What a provider may not do, and has done. */
import { EngineError } from "../../../core/base/index.js";
import type { CtyValue, Problem } from "../cty/index.js";
import { programPath, programPathText, writeOnlyPaths } from "../schema/index.js";
import type { Subject } from "./change.js";

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
  throw providerFault(subject, `gives back "${prop}", which is for writing only`);
}

export function providerFault(subject: Subject, what: string): EngineError {
  return new EngineError("PROVIDER_FAILED", faultText(subject, what));
}

function faultText({ provider, typeName }: Subject, what: string): string {
  return `${provider} ${what} (${typeName}). This is a fault of the provider.`;
}
