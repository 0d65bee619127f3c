import type { Command } from "commander";
import { shownPointer } from "../../../core/base/index.js";
import type { PlanError, PropertyChange } from "../../../core/contract/index.js";
import { detachedAppOf } from "../../../core/engine/index.js";
import type { App } from "../../../core/run/index.js";
import type { Drift, DriftedResource } from "../../plan/drift.js";
import { driftOf } from "../../plan/planning.js";
import { addFlags, programFlags, textOf } from "../flags.js";
import { nothingThere, openStage, stageExists } from "../open-stage.js";
import { print, printJson } from "../output.js";
import type { Given } from "../run-command.js";
import { withAdmin } from "../state/with-admin.js";

export function addDrift(program: Command): void {
  const command = program
    .command("drift [entry]")
    .summary("compare the recorded resources with the real ones")
    .description(
      "Compare the recorded resources with the real ones and list the differences. This changes nothing and takes no lock.",
    );
  addFlags(command);
  command.action(async (entry: string | undefined, given: Given) => {
    const envFile = textOf(given.envFile);
    const where = { entry, envFile, flags: programFlags(command), fleetCommand: "fleet drift" };
    await openStage(where, async (app) => {
      const missing = await withAdmin(app, async (admin) =>
        (await stageExists(admin, given)) ? undefined : nothingThere(admin, given),
      );
      return missing ?? printDrift(await look(app), given);
    });
  });
}

function look(app: App): Promise<Drift> {
  const { concurrency } = app.options;
  return driftOf((options) => detachedAppOf(app, app.root.appName, { concurrency, ...options, quiet: true }), {});
}

function printDrift(drift: Drift, { json, exitCode }: Given): number {
  if (json === true) printJson(asJson(drift));
  else for (const line of driftLines(drift)) print(line);
  if (drift.errors.length > 0) return 1;
  if (exitCode !== true) return 0;
  return drift.resources.length > 0 ? 2 : drift.unread.length > 0 ? 4 : 0;
}

/** Drops `quiet`, which only controls the output. */
function asJson({ resources, unread, ...rest }: Drift): object {
  const loud = <T extends { readonly quiet?: true }>({ quiet: _, ...one }: T): object => one;
  return { ...rest, resources: resources.map(loud), unread: unread.map(loud) };
}

const INDENT = " ".repeat(9);

/** Formats the drift as lines for people. */
export function driftLines({ app, stage, resources, same, unread, errors }: Drift): readonly string[] {
  const gone = resources.filter((one) => one.gone).length;
  const counts = [
    [resources.length - gone, "drifted"],
    [gone, "gone"],
    [same, "as recorded"],
    [unread.length, "not read"],
    [errors.length, "failed"],
  ] as const;
  const said = counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return [
    ...resources.flatMap(resourceLines),
    ...unreadLines(unread),
    ...errors.flatMap(errorLines),
    `drift of ${app}/${stage}: ${said.join(", ") || "nothing is recorded"}`,
  ];
}

/** The reason why a resource cannot be read depends on its type: all resources with the same reason share a line. */
function unreadLines(unread: Drift["unread"]): readonly string[] {
  const namesBy = new Map<string, string[]>();
  for (const { fqn, kind, reason } of unread) {
    const why = `(${kind}: ${reason})`;
    const known = namesBy.get(why);
    if (known) known.push(fqn);
    else namesBy.set(why, [fqn]);
  }
  return [...namesBy].map(([why, names]) => {
    return `unread   ${names.length === 1 ? names[0] : `${names.length} resources`}  ${why}`;
  });
}

function resourceLines({ fqn, kind, gone, changes }: DriftedResource): string[] {
  return [
    `${(gone ? "gone" : "drifted").padEnd(8)} ${fqn}  (${kind})`,
    ...changes.map((change) => `${INDENT}${shownPointer(change.path)}: ${values(change)}`),
  ];
}

function values({ old, new: now }: PropertyChange): string {
  return `${text(old)} → ${text(now)}`;
}

function text(value: unknown): string {
  return value === undefined ? "(none)" : JSON.stringify(value);
}

function errorLines({ code, message, fqn }: PlanError): string[] {
  const [first = "", ...rest] = message.split(/\r?\n/);
  return [`FAILED   ${fqn ?? ""}  ${first} [${code}]`, ...rest.map((line) => `${INDENT}${line}`)];
}
