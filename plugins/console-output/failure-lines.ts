/** Lines for failures: of resources as they happen, of the run at its end. Pure. */
import type { FailureNote } from "../../core/base/index.js";
import type { EngineEvents } from "../../core/contract/index.js";
import { failureTexts } from "../internal/text/describe-error.js";
import type { Palette } from "./theme.js";
import { linesOf, MARGIN } from "./theme.js";

type Failed = EngineEvents["resource:failed"];

export interface FailureTheme {
  readonly palette: Palette;
  /** True to print whole stacks. */
  readonly isVerbose: boolean;
}

/** Maximum number of failures that are printed. */
const MOST = 50;

/** Returns the lines of a failed resource, printed once, when it fails. */
export function failedLines(failed: Failed, theme: FailureTheme): readonly string[] {
  const { bold, red, dim } = theme.palette;
  const { fqn, kind, action } = failed;
  return detailsOf(`${bold(red("FAILED"))}   ${fqn}  ${dim(`(${kind}, ${action})`)}: `, failed, theme);
}

/** Returns the line of a handler that was stopped by an interruption, which is not a failure. */
export function stoppedLine({ fqn, kind, action }: EngineEvents["resource:stopped"], { yellow, dim }: Palette): string {
  return `${yellow("stopped")}  ${fqn}  ${dim(`(${kind}, ${action})`)}`;
}

/** Returns true for the reason of an interruption, which is not a failure. */
export function isInterruption({ code, fqn }: FailureNote): boolean {
  return code === "ABORTED" && fqn === undefined;
}

export function interruptedLines([note]: readonly FailureNote[], { yellow, cyan }: Palette): readonly string[] {
  return note ? ["", `${yellow(note.message)} ${cyan(hintFor("ABORTED") ?? "")}`] : [];
}

/** Returns the lines of failures that belong to no resource, each once. */
export function failureLines(notes: readonly FailureNote[], theme: FailureTheme): readonly string[] {
  const { bold, red } = theme.palette;
  const lines = notes.slice(0, MOST).flatMap((note) => detailsOf(`${bold(red("error"))}    `, note, theme));
  const more = notes.length - MOST;
  return more > 0 ? [...lines, `${MARGIN}and ${more} more`] : lines;
}

function detailsOf(head: string, note: FailureNote, { palette, isVerbose }: FailureTheme): readonly string[] {
  const { code, message, frames } = note;
  const [first = "", ...rest] = failureTexts(note).flatMap(linesOf);
  const advice = hintFor(code);
  // Some messages already contain the hint.
  const hint = advice !== undefined && message.includes(advice) ? undefined : advice;
  return [
    `${head}${first}`,
    ...rest.map((line) => `${MARGIN}${line}`),
    // The nearest frame shows the place; the others are for --verbose.
    ...frames.slice(0, isVerbose ? undefined : 1).map((frame) => palette.dim(`${MARGIN}    ${frame}`)),
    ...(hint === undefined ? [] : [`${MARGIN}${palette.cyan(hint)}`]),
  ];
}

/** Advice for errors whose message contains none; see docs/guide/errors.md. */
const HINTS: Readonly<Record<string, string>> = {
  ABORTED: "Run again: completed changes are kept.",
  FENCED: "Look at what the other run did (engine state history), then run again.",
  PLAN_MISMATCH: "Check what changed since the plan was made, then make a new plan.",
  STATE_CORRUPT: '"engine state verify" lists what is damaged and what to do.',
  STATE_MOVED: "Run again.",
  TIMEOUT:
    'Make the handler or the command faster, or give it a longer timeout. The next "engine up" continues from there.',
};

function hintFor(code: string): string | undefined {
  return HINTS[code];
}
