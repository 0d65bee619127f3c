/** Writes the module of types of a provider, anew or with more in it. */
import { readFileSync } from "node:fs";
import {
  countOf,
  generateModule,
  joined,
  NOTHING,
  type Offered,
  offeredBy,
  type Selection,
  select,
  selectionOf,
  stillOffered,
  used,
} from "../../terraform/generate/index.js";
import { type AddedProvider, type ToldSchema, writeProjectFile } from "../../terraform/registry/index.js";
import { counted } from "../state/approval.js";
import { type ModuleFile, shownPath } from "./provider-project.js";

export interface ModuleContents {
  /** Names on the command line. */
  readonly names: readonly string[];
  /** Whether what the program asks for is in it. */
  readonly used: boolean;
}

/** The members of the provider's object that a program asks for, as `role` and `data.schemas`. */
export type ReadUses = (entry: string | undefined, module: string, type: string) => readonly string[];

/** Of a provider with no more than that all is taken, where nothing is named. */
const FEW = 60;

/** @returns lines that say what was done @throws EngineError `INVALID_ARGUMENT` */
export function writeModule(
  { added, told, file }: { readonly added: AddedProvider; readonly told: ToldSchema; readonly file: ModuleFile },
  contents: ModuleContents,
  usedOf: (module: string) => readonly string[],
): readonly string[] {
  const { source, type, locked } = added;
  const { schema } = told;
  const offered = offeredBy(type, schema);
  const before = stillOffered(file.written ?? NOTHING, offered);
  const selection = joined(before, wanted({ offered, file, type }, contents, usedOf));
  const { range, version } = locked;
  const text = generateModule({ source, type, range, version, schema, ...selection });
  const isSame = file.written !== undefined && readFileSync(file.path, "utf8") === text;
  if (!isSame) writeProjectFile(file.path, text);
  return [
    `${isSame ? "is right" : "written "} ${shownPath(file.path)}: ${countText(selection)}`,
    ...goneLines(file.written ?? NOTHING, before),
    ...(countOf(selection) === 0 ? [hint(source, offered)] : []),
  ];
}

function wanted(
  { offered, file, type }: { readonly offered: Offered; readonly file: ModuleFile; readonly type: string },
  { names, used: isUsed }: ModuleContents,
  usedOf: (module: string) => readonly string[],
): Selection {
  const named = select(names, offered, type);
  if (isUsed) return joined(named, used(usedOf(file.path), offered));
  const all = selectionOf((kind) => [...offered[kind].keys()]);
  const isLeftOpen = names.length === 0 && file.written === undefined;
  return isLeftOpen && countOf(all) <= FEW ? all : named;
}

function countText({ resources, dataSources, ephemeral, functions }: Selection): string {
  const parts = [
    [resources.length, "resource"],
    [dataSources.length, "data source"],
    [ephemeral.length, "ephemeral resource"],
    [functions.length, "function"],
  ] as const;
  const there = parts.flatMap(([count, what]) => (count > 0 ? counted(count, what) : []));
  return there.join(", ") || "the configuration alone";
}

function goneLines(before: Selection, now: Selection): readonly string[] {
  const gone = Object.values(selectionOf((kind) => before[kind].filter((name) => !now[kind].includes(name)))).flat();
  return gone.length === 0 ? [] : [`left out, for this version has them no more: ${gone.join(", ")}`];
}

function hint(source: string, offered: Offered): string {
  const count = [...Object.values(offered)].reduce((sum, names) => sum + names.size, 0);
  const [first = "RESOURCE"] = offered.resources.keys();
  return `${source} offers ${count} types and functions. Name those you want, e.g. "engine add ${source} ${first}", or use them in the program and run "engine add --used".`;
}
