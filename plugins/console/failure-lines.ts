/** What went wrong, as lines for people: one when it happens, all of it at the end. Pure. */
import type { EngineEvents } from "../../core/events.js";
import type { FailureNote } from "../../core/failure-note.js";
import { isInterruption } from "../internal/interruption.js";
import { hintFor } from "./hint.js";
import { linesOf, MARGIN } from "./margin.js";
import type { Palette } from "./palette.js";

type Failed = EngineEvents["resource:failed"];

/** So many are told in full. */
const MOST = 50;

export function failedLine({ fqn, kind, action, message }: Failed, { bold, red, dim }: Palette): string {
  const [first = ""] = linesOf(reasonIn(message));
  return `${bold(red("FAILED"))}   ${fqn}  ${dim(`(${kind}, ${action})`)}: ${first}`;
}

/** What was at work when the run was interrupted: nothing is wrong with it. */
export function isStopped({ code, message }: FailureNote): boolean {
  return isInterruption({ code, reason: reasonIn(message) });
}

export function stoppedLine({ fqn, kind, action }: Failed, { yellow, dim }: Palette): string {
  return `${yellow("stopped")}  ${fqn}  ${dim(`(${kind}, ${action})`)}`;
}

/** Once for all that was stopped. */
export function interruptedLines([note]: readonly FailureNote[], { yellow, cyan }: Palette): readonly string[] {
  return note ? ["", `${yellow(reasonIn(note.message))} ${cyan(hintFor("ABORTED") ?? "")}`] : [];
}

/**
 * @param notes each failure once
 * @param known failures of resources, by their messages
 */
export function failureLines(
  notes: readonly FailureNote[],
  known: ReadonlyMap<string, Failed>,
  palette: Palette,
): readonly string[] {
  const lines = notes.slice(0, MOST).flatMap((note) => ["", ...detailsOf(note, known.get(note.message), palette)]);
  const more = notes.length - MOST;
  return more > 0 ? [...lines, "", `and ${more} more`] : lines;
}

function detailsOf(note: FailureNote, failed: Failed | undefined, { bold, red, dim, cyan }: Palette): string[] {
  const { code, message, causes, frames } = note;
  const fqn = failed?.fqn ?? note.fqn;
  const what = failed ? `(${failed.kind}, ${failed.action}, ${code})` : `(${code})`;
  const reason = reasonIn(message);
  // What only repeats the message in other words stands for it.
  const [nearest = "", ...others] = causes;
  const isSame = nearest === reason || nearest.endsWith(`: ${reason}`);
  const texts = isSame ? [nearest] : [reason, ...(causes.length > 0 ? [`because: ${nearest}`] : [])];
  const advice = hintFor(code);
  // Some messages say it by themselves.
  const hint = advice !== undefined && message.includes(advice) ? undefined : advice;
  return [
    `${bold(red(fqn ?? "the run"))}  ${dim(what)}`,
    ...[...texts, ...others.map((cause) => `because: ${cause}`)].flatMap(linesOf).map((line) => `${MARGIN}${line}`),
    ...frames.map((frame) => dim(`${MARGIN}    ${frame}`)),
    ...(hint === undefined ? [] : [`${MARGIN}${cyan(hint)}`]),
  ];
}

/** Without what stands in front of it: which resource, and what was done. */
function reasonIn(message: string): string {
  return message.replace(/^[a-z]+ of ".*?" failed: /, "");
}
