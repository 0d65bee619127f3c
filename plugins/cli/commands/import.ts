import { join, relative, resolve } from "node:path";
import type { Command } from "commander";
import { openerOf } from "../../internal/flags/opener.js";
import { counted } from "../../internal/text/counted.js";
import { plainLine } from "../../internal/text/plain-text.js";
import { shellWord } from "../../internal/text/shell-word.js";
import { addFlags, programFlags, textOf } from "../flags.js";
import type { ImportResult } from "../import/import-project.js";
import { print, printJson, say } from "../output.js";
import type { Given } from "../run-command.js";
import { keepYoungSmall } from "../small-heap.js";

export function addImport(program: Command): void {
  const command = program
    .command("import <source>")
    .summary("take over the resources of another tool")
    .description(
      `Read the state of another tool, record its resources, and write the program that declares them.
The state and the real resources stay as they are.

  $ engine import terraform.tfstate --plan     show the result, write nothing
  $ engine import terraform.tfstate --write infra
  $ tofu state pull | engine import - --write infra
  $ engine import s3://bucket/env/prod/terraform.tfstate
  $ pulumi stack export | engine import - --write infra
  $ sst state export --stage prod | engine import - --write infra
  $ engine import .alchemy/shop/prod --write infra`,
    );
  addFlags(command);
  command.action((source: string, given: Given) => takeOver(command, { source, given, isList: false }));
}

export function addAdopt(program: Command): void {
  const command = program
    .command("adopt <list>")
    .summary("take over existing resources that no tool has recorded")
    .description(
      `Read the resources of a list, record them as adopted, and write the program that declares them.
The list is CSV with the columns kind, name, id and, if needed, scope and provider. Or it is NDJSON.
The real resources stay as they are.

  $ engine adopt resources.csv --plan     show the result, write nothing
  $ engine adopt resources.csv --write infra`,
    );
  addFlags(command);
  command.action((source: string, given: Given) => takeOver(command, { source, given, isList: true }));
}

interface TakingOver {
  readonly source: string;
  readonly given: Given;
  readonly isList: boolean;
}

async function takeOver(command: Command, { source, given, isList }: TakingOver): Promise<void> {
  keepYoungSmall();
  const [{ importProject }, { providerWork }, { projectIn }] = await Promise.all([
    import("../import/import-project.js"),
    import("../providers/print-providers.js"),
    import("../providers/provider-project.js"),
  ]);
  const folder = resolve(textOf(given.write) ?? ".");
  const isPlan = given.plan === true;
  const work = { ...providerWork({}), project: projectIn(folder), print: given.json === true ? say : print };
  const mirror = textOf(given.mirror);
  const { options, opener } = programFlags(command);
  const result = await importProject(
    {
      source,
      isList,
      folder,
      app: textOf(given.name),
      plan: isPlan,
      command: commandWith(process.argv.slice(2)),
      providerConfig: textOf(given.providerConfig),
      mirror: mirror === undefined ? undefined : resolve(mirror),
      types: Array.isArray(given.type) ? given.type.map(String) : [],
      options: { ...options, ...(opener && openerOf(opener)) },
    },
    work,
  );
  if (given.json === true) return printJson(asJson(result, isPlan));
  printResult(result, { isPlan, isList, folder });
  if (!isPlan) print(`Next: ${nextCommand(folder, given)}`);
}

/** Returns the command that plans the written program. The root folder holds its state, and paths of its files. */
function nextCommand(folder: string, given: Given): string {
  const shown = relative("", folder).replace(/^-/, "./-");
  const isInside = shown !== "" && given.rootDir === undefined;
  const moved = (path: string): string => (isInside ? relative(folder, resolve(path)) : path);
  const flag = (name: string, value: unknown, turned = (text: string) => text): readonly string[] => {
    const text = textOf(value);
    return text === undefined ? [] : [name, turned(text)];
  };
  const words = [
    "plan",
    ...(shown === "" || isInside ? [] : [shown]),
    ...flag("--stage", given.stage),
    ...flag("--state", given.state),
    ...flag("--root-dir", given.rootDir),
    ...flag("--profile", given.profile),
    ...flag("--password-file", given.passwordFile, moved),
    ...flag("--key-file", given.keyFile, moved),
    ...flag("--key-command", given.keyCommand),
  ];
  return `${isInside ? `cd ${shellWord(shown)} && ` : ""}${commandWith(words)}`;
}

/** Returns a command for a shell. The URL of a store may hold a password. */
function commandWith(words: readonly string[]): string {
  return ["engine", ...words.map((word) => shellWord(word.replace(/(:\/\/)[^/]*@/, "$1…@")))].join(" ");
}

function asJson({ files, variables, providerFiles: _names, ...rest }: ImportResult, isPlan: boolean): object {
  return {
    ...rest,
    files: [...files.keys()],
    ...(isPlan ? { program: Object.fromEntries(files) } : {}),
    variables: [...variables].map(([name, usedBy]) => ({ name, usedBy })),
  };
}

/** Most lines of a program that a plan prints. */
const SHORT = 100;

function printPlan({ keys, files, providerFiles }: ImportResult, { isList, folder }: Place): void {
  const shown = (name: string): string => relative("", join(folder, name));
  const lines = new Map([...files].map(([name, text]) => [name, text.split("\n").slice(0, -1)]));
  for (const key of keys) print(`${isList ? "adopt " : "import"}   ${key}`);
  for (const name of providerFiles) print(`write    ${shown(name)}`);
  for (const [name, own] of lines) print(`write    ${shown(name)} (${counted(own.length, "line")})`);
  const count = [...lines.values()].flat().length;
  if (count > SHORT) return print(`The program has ${count} lines. --json shows them, in "program".`);
  for (const [name, own] of lines) for (const line of ["", `${shown(name)}:`, ...own]) print(line);
  print("");
}

interface Place {
  readonly isList: boolean;
  readonly folder: string;
}

function printResult(result: ImportResult, place: Place & { readonly isPlan: boolean }): void {
  const { resources, dataSources, files, variables, notes, wasRecorded, fqn } = result;
  const { isPlan, folder } = place;
  if (isPlan) printPlan(result, place);
  else for (const name of files.keys()) print(`written  ${relative("", join(folder, name))}`);
  const data = dataSources === 0 ? "" : ` and ${counted(dataSources, "data source")}`;
  const what = `${counted(resources, "resource")}${data}`;
  if (isPlan) print(`${what} would be recorded in "${fqn}". Nothing was written.`);
  else if (wasRecorded) print(`${what} ${resources + dataSources === 1 ? "was" : "were"} recorded in "${fqn}" before.`);
  else print(`${what} recorded in "${fqn}".`);
  for (const note of notes) {
    const [first = "", ...more] = note.split("\n");
    for (const line of [`note: ${first}`, ...more.map((one) => `        ${one}`)]) say(plainLine(line));
  }
  if (variables.size === 0) return;
  say("The program reads these secrets from the environment:");
  for (const [name, usedBy] of variables)
    say(`  ${name}  ${plainLine(usedBy.slice(0, 3).join(", "))}${usedBy.length > 3 ? ", …" : ""}`);
}
