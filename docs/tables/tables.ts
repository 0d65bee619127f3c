/** The tables of the guide that follow code. */
import type { Command } from "commander";
import { errorCodes } from "../../core/base/errors.js";
import { ledgerKeys } from "../../core/state/keys.js";
import { makeProgram } from "../../plugins/cli/program.js";
import { FLEET, FLEET_RUNS, RUNS, STAGE, STATE } from "../../plugins/internal/flags/commands.js";
import type { Flag, Said } from "../../plugins/internal/flags/flag.js";
import { FLAGS } from "../../plugins/internal/flags/table.js";
import * as resources from "../../plugins/resources/index.js";
import { manifest, packageEntries } from "../../test/house/package-exports.js";
import { read, root, sourceFiles } from "../../test/house/project.js";
import { membersOf, stringsIn, valuesOf, variablesRead } from "./code.js";
import { inCodeSpans, type Table } from "./markdown.js";

const guide = (name: string): string => `docs/guide/${name}.md`;
/** `create?(context)` without its arguments. */
const namesOfMembers = (cell: string): string[] => inCodeSpans(cell).map((code) => code.replace(/\W.*/, ""));

interface Listed {
  /** E.g. `state list`. */
  readonly name: string;
  readonly command: Command;
}

/** Every command that does something, except the hidden ones. */
const COMMANDS = commandsOf(makeProgram("0.0.0"), "");

function commandsOf(parent: Command, path: string): Listed[] {
  return parent
    .createHelp()
    .visibleCommands(parent)
    .filter((command) => command.name() !== "help")
    .flatMap((command) => {
      const name = `${path}${command.name()}`;
      const inner = commandsOf(command, `${name} `);
      return inner.length > 0 ? inner : [{ name, command }];
    });
}

const flags = [...new Set(COMMANDS.flatMap(({ command }) => command.options.map(({ long }) => long ?? "")))];

/** The groups of commands that the page names; all but one or two of a group are "runs but `read`". */
const GROUPS: readonly (readonly [string, readonly string[]])[] = [
  ["all", [...RUNS, ...STAGE]],
  ["runs", RUNS],
  ["state commands", STATE],
  ["fleet commands", FLEET],
  ["fleet runs", FLEET_RUNS],
];

function commandsWith(flag: string): string {
  let left = COMMANDS.flatMap(({ name, command }) => (command.options.some(({ long }) => long === flag) ? [name] : []));
  const parts = GROUPS.flatMap(([group, names]) => {
    const lacking = names.filter((name) => !left.includes(name));
    if (lacking.length > (group === "runs" ? 2 : 0)) return [];
    left = left.filter((name) => !names.includes(name));
    return [lacking.length === 0 ? group : `${group} but ${lacking.map((name) => `\`${name}\``).join(" and ")}`];
  });
  const all = [...parts, ...left.map((name) => `\`${name}\``)];
  return all[0]?.includes(" but ") && all.length > 1 ? `${all[0]}; ${all.slice(1).join(", ")}` : all.join(", ");
}

function flagWithShort(flag: string): string {
  const options = COMMANDS.flatMap(({ command }) => command.options.filter(({ long }) => long === flag));
  const short = options.find((option) => option.short !== undefined)?.short;
  return short === undefined ? `\`${flag}\`` : `\`${short}\`, \`${flag}\``;
}

/** The flags that set an option, as a program takes them; an empty text if there is none. */
function flagsOf(option: string): string {
  const ways = FLAGS.flatMap(waysOf).filter(({ sets }) => sets.includes(option));
  return ways.map(({ flag }) => `\`${flag}\``).join(", ");
}

function waysOf({ name, value, says }: Flag): readonly { readonly flag: string; readonly sets: readonly string[] }[] {
  if (says === undefined) return [];
  if ("example" in says) {
    return [{ flag: `${name} ${upper(value ?? "")}`, sets: optionsIn(says.text(says.example, name)) }];
  }
  const alone = { flag: name, sets: optionsIn(says.on(true)) };
  return says.text ? [alone, { flag: `${name}=FILE`, sets: optionsIn(says.text("plan.json", name)) }] : [alone];
}

/** `<n|p%>` as `N\|P%`; values that a flag names stay as they are. */
function upper(value: string): string {
  const text = value.replace(/[<>]/g, "").replaceAll("|", "\\|");
  return value.includes("lazy") ? text : text.toUpperCase();
}

function optionsIn({ destroy, read: isRead, opener, ...options }: Said): readonly string[] {
  const phase = destroy || isRead ? ["phase"] : [];
  const secret = opener === undefined ? [] : [opener.from === "passwordFile" ? "password" : "key"];
  return [...Object.keys(options), ...phase, ...secret];
}

const commandTables = ["command-line", "state-commands"].map((page): Table => {
  const isOfState = ({ name }: Listed): boolean => STATE.some((one) => one === name) || name === "secrets rotate";
  const here = COMMANDS.filter(({ name }) => !name.startsWith("telemetry ")).filter((one) =>
    page === "state-commands" ? isOfState(one) : !STATE.some((state) => state === one.name),
  );
  // Groups, an alias, and what commander adds.
  const others = page === "command-line" ? ["state", "telemetry", "deploy", "help"] : [];
  return {
    page: guide(page),
    name: "commands",
    names: [...here.map(({ name }) => name), ...others],
    namesIn: (cell) =>
      inCodeSpans(cell).map((code) => code.replace(/^engine /, "").replace(/ ([[A-Z…]|\w+\\?\|).*$/, "")),
  };
});

const KINDS: Readonly<Record<string, string>> = {
  waterfall: "waterfall, synchronous",
  around: "around",
  every: "every",
  series: "series",
  firstAnswer: "first answer",
  syncFirstAnswer: "first answer, synchronous",
};
const hooks = valuesOf("HOOKS", read("core/contract/plugin/hook-table.ts"));
const defaults = valuesOf("defaults", read("core/options/resolve-options.ts"));
const codec = ["core/codec/leaves.ts", "core/codec/codec.ts", "core/codec/encode.ts", "plugins/secrets/envelope.ts"];
const keys = ledgerKeys("{app}", "{stage}");
const shapeOf = (key: string): string => `{app}/{stage}/${key.slice(keys.root.length).replace(/\d{12}$/, "{seq}")}`;
const entries = packageEntries(manifest(), sourceFiles()).filter(
  ({ specifier }) => !specifier.endsWith("/plugins/index"),
);
const definition = "core/contract/definition.ts";
const contexts = ["HandlerBase", "CreateContext", "UpdateContext", "DeleteContext", "ReadContext"];
const definitions = ["Handlers", "LocalHandlers", "HandlersDefinition"];
const unique = (names: readonly string[]): string[] => [...new Set(names)];

/** The codes of the warnings that a source emits. */
function warningsIn(file: string): string[] {
  // Core gives some codes to a list of warnings, which it emits at the end of the run. A conflict is named after its
  // option.
  const pattern = file.startsWith("core/") ? /(?:\bwarn(?:\?\.)?\(|\bcode:)\s*"([A-Z_]+)"/g : /\bwarn\(\s*"([A-Z_]+)"/g;
  const conflicts = file === "plugins/cli-args/index.ts" ? ["PHASE_CONFLICT", "STAGE_CONFLICT"] : [];
  const sealing = file === "plugins/secrets/stage-key.ts" ? ["STATE_WENT_BACK"] : [];
  return [...[...read(file).matchAll(pattern)].map(([, code = ""]) => code), ...conflicts, ...sealing];
}

export const TABLES: readonly Table[] = [
  ...commandTables,
  {
    page: guide("command-line"),
    name: "flags",
    names: flags,
    namesIn: (cell) => inCodeSpans(cell).filter((code) => code.startsWith("--")),
    cells: { flag: flagWithShort, commands: commandsWith },
  },
  { page: guide("errors"), name: "codes", names: errorCodes },
  { page: guide("errors"), name: "warnings", names: unique(sourceFiles().flatMap(warningsIn)) },
  { page: guide("hooks"), name: "events", names: membersOf("EngineEvents", "core") },
  {
    page: guide("hooks"),
    name: "hooks",
    names: [...hooks.keys()],
    isOrdered: true,
    cells: { kind: (hook) => KINDS[hooks.get(hook)?.split("<")[0] ?? ""] },
  },
  {
    page: guide("options"),
    name: "options",
    names: membersOf("EngineOptions", "core/contract/options.ts"),
    cells: { default: (option) => (defaults.has(option) ? `\`${defaults.get(option)}\`` : undefined), flag: flagsOf },
  },
  { page: guide("resources"), name: "options", names: membersOf("ResourceOptions", "core/contract") },
  {
    page: guide("resource-types"),
    name: "definition",
    names: unique(definitions.flatMap((name) => membersOf(name, definition))),
    namesIn: namesOfMembers,
  },
  {
    page: guide("resource-types"),
    name: "context",
    names: unique(contexts.flatMap((name) => membersOf(name, definition))),
    namesIn: namesOfMembers,
  },
  {
    page: guide("options"),
    name: "variables",
    // The starter program that `init` writes does not count as a part of the engine.
    names: unique(
      sourceFiles()
        .filter((file) => file !== "plugins/cli/commands/init.ts")
        .flatMap((file) => variablesRead(read(file))),
    ),
  },
  {
    page: guide("state-format"),
    name: "keys",
    names: [keys.entry(1), keys.checkpoint(1), keys.history(1), keys.lease("{session}")].map(shapeOf),
  },
  { page: guide("state-format"), name: "lines", names: membersOf("Entry", "core/state/journal/entry.ts") },
  {
    page: guide("state-format"),
    name: "changes",
    names: unique([...read("core/state/change.ts").matchAll(/readonly op: "(\w+)"/g)].map(([, op = ""]) => op)),
  },
  { page: guide("state-format"), name: "records", names: membersOf("ResourceRecord", "core/contract") },
  { page: guide("state-format"), name: "checkpoints", names: membersOf("CheckpointBody", "core/state") },
  {
    page: guide("state-format"),
    name: "tags",
    names: unique(codec.flatMap((file) => [...stringsIn(read(file))]).filter((text) => /^\$[a-z]+$/.test(text))),
  },
  ...Object.keys(resources).map((type) => ({
    page: guide("built-in-resources"),
    name: `${type}Props`,
    names: membersOf(`${type}Props`, "plugins/resources"),
  })),
  ...(await Promise.all(
    entries.map(async ({ specifier, source }) => ({
      page: guide("entries"),
      name: specifier,
      names: Object.keys(await import(root + source)),
    })),
  )),
];
