/** Reads a list of real resources: kind, name and import id of each, as CSV or NDJSON. */
import { nameProblem, unfitCharacter } from "../../core/base/index.js";
import { withJsonTokens } from "../internal/text/json-tokens.js";
import type {
  FoundById,
  Imported,
  ImportedResource,
  ImportedScope,
  ReadSettings,
  Refusal,
  ScopePath,
} from "./contract.js";
import { csvRows, lineBreaksIn } from "./csv-rows.js";
import { clipped, refused } from "./failure.js";
import { isMembers } from "./members.js";
import { nameWith } from "./program/names.js";
import { isConfigurationName } from "./terraform/address.js";

const COLUMNS = ["kind", "name", "id"] as const;
const OPTIONAL = ["scope", "provider"] as const;

type Column = (typeof COLUMNS)[number] | (typeof OPTIONAL)[number];
type Line = Readonly<Partial<Record<Column, string>>> & {
  readonly number: number;
  /** Present if the line cannot be read. */
  readonly fault?: string;
};

/** Kind of a resource of a provider, e.g. `hashicorp/aws:aws_s3_bucket`. */
const KIND = /^((?:[A-Za-z0-9][\w.-]*\/){1,2}[A-Za-z0-9][\w.-]*):([A-Za-z0-9_]+)$/;

/** Longest text of the list in a message. */
const SHOWN = 100;

/** Most characters of an import id. Those of clouds have a few hundred. */
const LONGEST_ID = 10_000;

/**
 * Bad lines become refusals, so that a message can name all of them.
 *
 * @throws EngineError `IMPORT_REFUSED` for a list that cannot be read
 */
export async function readAdoptionList(text: string, { place }: Pick<ReadSettings, "place">): Promise<Imported> {
  const own = text.replace(/^\uFEFF/, "");
  const nul = own.indexOf("\0");
  if (nul >= 0)
    throw unusable(place, `is damaged: line ${lineBreaksIn(own.slice(0, nul)) + 1} has a NUL. Save the list as UTF-8.`);
  const begin = own.trimStart();
  if (begin.startsWith("[")) throw unusable(place, "is one JSON array. Write each object of it in a line of its own.");
  const lines = begin.startsWith("{") ? fromNdjson(own) : fromCsv(own, place);
  if (lines.length === 0) throw unusable(place, "lists no resource.");
  return importedFrom(lines, place);
}

function unusable(place: string, why: string): Error {
  return refused(place, why, { done: "adopted" });
}

function importedFrom(lines: readonly Line[], place: string): Imported {
  const [resources, refusals]: [ImportedResource[], Refusal[]] = [[], []];
  const scopes = new Map<string, ImportedScope>();
  const lineOf = new Map<string, number>();
  for (const line of lines) {
    const { kind = "", name = "", id = "", scope = "", provider: alias = "", number } = line;
    const fault = line.fault ?? faultIn(line);
    if (fault !== undefined) {
      refusals.push({ address: `line ${number}`, reason: fault, advice: "Correct this line." });
      continue;
    }
    const path = stepsOf(scope).map((step) => ({ name: step }));
    const [, source = "", type = ""] = KIND.exec(kind) ?? [];
    const host = source.split("/").length === 2 ? `registry.opentofu.org/${source}` : source;
    const provider = { source: host.toLowerCase(), ...(alias === "" ? {} : { alias }) };
    const address = [...path.map((step) => step.name), `${type}.${name}`].join("/").replaceAll("[", "(");
    const names: readonly (readonly [what: string, key: string, advice: string])[] = [
      ["scope, type and name", address, "Give one of them another name."],
      ["provider, type and id", JSON.stringify([provider, type, id]), "Remove one of them: each is the same resource."],
    ];
    const twice = names.find(([, key]) => lineOf.has(key));
    if (twice) {
      const [what, key, advice] = twice;
      refusals.push({ address, reason: `line ${number} has the same ${what} as line ${lineOf.get(key)}`, advice });
      continue;
    }
    for (const [, key] of names) lineOf.set(key, number);
    for (let length = 1; length <= path.length; length++) addScope(scopes, path.slice(0, length));
    const value: FoundById = { by: "id", importId: id };
    resources.push({ address, scope: path, name, type, provider, value, dependencies: [], status: "ready" });
  }
  return {
    source: { tool: "a list", isList: true, place },
    scopes: [...scopes.values()],
    resources,
    dataSources: [],
    dependencies: "unknown",
    outputs: [],
    refusals,
    notes: [],
  };
}

function stepsOf(scope: string): readonly string[] {
  return scope.split("/").filter((step) => step !== "");
}

/** Returns why a line names no resource. */
function faultIn(line: Line): string | undefined {
  const { kind = "", name = "", id = "", scope = "", provider: alias = "" } = line;
  const missing = COLUMNS.filter((column) => !line[column]);
  if (missing.length > 0) return `it has no ${missing.join(" and no ")}`;
  if (!KIND.test(kind))
    return `its kind ${shown(kind)} is not that of a provider's resource, such as hashicorp/aws:aws_s3_bucket. Declare other resources in the program with the option adopt`;
  for (const [what, own] of [["name", name], ...stepsOf(scope).map((step) => ["scope", step] as const)] as const) {
    const problem = nameProblem(own) ?? (nameWith(own, undefined) === own ? undefined : UNFIT);
    if (problem !== undefined) return `its ${what} cannot be used: ${clipped(problem)}`;
  }
  if (id.length > LONGEST_ID) return `its id has ${id.length} characters`;
  if (unfitCharacter().test(id.replaceAll(/[\n\r\t]/g, ""))) return `its id ${shown(id)} contains a control character`;
  if (alias === "" || isConfigurationName(alias)) return undefined;
  return `its provider ${shown(alias)} is not the name of a configuration: only letters, digits, "_" and "-"`;
}

const UNFIT = 'it has more than 120 characters or a "\\"';

/** Quotes a text of the list, without signs that a terminal obeys. */
function shown(text: string): string {
  return JSON.stringify(text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`);
}

function addScope(scopes: Map<string, ImportedScope>, path: ScopePath): void {
  const key = JSON.stringify(path);
  if (!scopes.has(key)) scopes.set(key, { path });
}

function fromNdjson(text: string): readonly Line[] {
  return text.split(/\r\n?|\n/).flatMap((line, at): readonly Line[] => {
    if (line.trim() === "") return [];
    const number = at + 1;
    const json = parsed(line);
    if (json === undefined) return [{ number, fault: "it is not JSON" }];
    if (!isMembers(json)) return [{ number, fault: "it is not a JSON object" }];
    const members = Object.entries(json);
    const unknown = members.find(([name]) => !isColumn(name));
    if (unknown) return [{ number, fault: `it has ${shown(unknown[0])}, which is not a known column` }];
    const odd = members.find(([, value]) => typeof value !== "string");
    if (odd) return [{ number, fault: `its ${shown(odd[0])} is not a text` }];
    // JSON.parse keeps the last member of a name.
    if (textsIn(line) > 2 * members.length) return [{ number, fault: "it has the same member twice" }];
    return [{ ...Object.fromEntries(members), number }];
  });
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function textsIn(json: string): number {
  let count = 0;
  withJsonTokens(json, (one) => {
    count++;
    return one;
  });
  return count;
}

function fromCsv(text: string, place: string): readonly Line[] {
  const found = csvRows(text);
  if ("strayAt" in found)
    throw unusable(place, `is malformed: line ${found.strayAt} has a quote that does not begin or end its cell.`);
  const [head, ...rows] = found;
  const names = head?.cells.map((cell) => cell.trim().toLowerCase()) ?? [];
  const problem = head ? headProblem(names) : "It is empty";
  if (problem !== undefined) {
    const all = `${COLUMNS.join(", ")} and, if needed, ${OPTIONAL.join(" and ")}`;
    throw unusable(place, `has no first line with the columns: ${all}. ${problem}.`);
  }
  return rows.map(({ cells, number }) => {
    if (cells.length !== names.length)
      return { number, fault: `it has ${cells.length} cells, but the first line has ${names.length}` };
    return { ...Object.fromEntries(names.map((name, at) => [name, cells[at] ?? ""])), number };
  });
}

function headProblem(names: readonly string[]): string | undefined {
  const unknown = names.find((name) => !isColumn(name));
  if (unknown !== undefined && names.length === 1 && /[;\t]/.test(unknown)) return "Separate its cells with commas";
  if (unknown !== undefined) return `The first one has ${shown(unknown)}`;
  const missing = COLUMNS.filter((column) => !names.includes(column));
  if (missing.length > 0) return `The first one lacks ${missing.join(" and ")}`;
  const twice = names.find((name, at) => names.indexOf(name) < at);
  return twice === undefined ? undefined : `The first one has "${twice}" twice`;
}

function isColumn(name: string): name is Column {
  return [...COLUMNS, ...OPTIONAL].some((one) => one === name);
}
