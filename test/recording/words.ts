/** What is to be read in a recording, and in the picture of it. Pure. */

import type { Recording } from "./record.ts";
import { textsOf } from "./screen.ts";

/** The rows of each screen before it was emptied, below each other. */
export function descriptionOf({ steps }: Recording): string {
  const rows = steps.flatMap(({ frames }, index) => {
    const next = steps[index + 1];
    const last = frames.at(-1);
    if (!last || (next && !next.isNewScreen)) return [];
    // Its last row asks for a command that never came.
    return textsOf(last.screen).slice(0, -1);
  });
  return `\n${rows.join("\n")}\n`;
}

/** Every row that a screen has shown. */
export function rowsOf({ first, steps }: Recording): ReadonlySet<string> {
  const screens = [
    first,
    ...steps.flatMap(({ typed, frames }) => [...(typed ? [typed.screen] : []), ...frames.map(({ screen }) => screen)]),
  ];
  return new Set(screens.flatMap(textsOf));
}

export function descriptionIn(picture: string): string {
  return plain(/<desc [^>]*>(.*?)<\/desc>/s.exec(picture)?.[1] ?? "");
}

/** Every row that the picture shows, without its indent. */
export function rowsIn(picture: string): ReadonlySet<string> {
  const rows = [...picture.matchAll(/<text [^>]*textLength[^>]*>(.*?)<\/text>/gs)];
  return new Set(rows.map(([, row = ""]) => plain(row.replaceAll(/<[^>]+>/g, ""))));
}

/** Of what is at work and for how long: it is there for a moment, and not always for the same one. */
export function isPassing(row: string): boolean {
  return /^(shop\/dev (up|plan): | *(create|update|replace|delete) +\d+ s {2}shop\/dev\/)/.test(row);
}

/** With signs for all that differs from one run to the next. */
export function masked(text: string): string {
  return text
    .replaceAll(
      // Where the line ends depends on how many digits the process has.
      /\bresuming\s+after\s+(\S+)\s+\(process\s+\d+\),\s+interrupted;\s+at\s+work\s+since\s+[\dT:.-]+Z/g,
      "resuming after $1",
    )
    .replaceAll(/\b\d+(\.\d+)? (ms|s|min)\b/g, "…")
    .replaceAll(/-[0-9a-f]{8}-/g, "-…-");
}

/** What is being done, without what it is done to and how much of it there is. */
export function kindOfPassing(row: string): string {
  return /^ *(create|update|replace|delete) /.exec(row)?.[1] ?? "a count";
}

function plain(markup: string): string {
  return markup.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}
