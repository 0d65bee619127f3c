/** Reads a list of real resources: kind, name and import id of each, as CSV or NDJSON. */
import type {
  FoundById,
  Imported,
  ImportedResource,
  ImportedScope,
  ReadSettings,
  Refusal,
  ScopePath,
} from "./contract.js";
import { refused } from "./failure.js";

const COLUMNS = ["kind", "name", "id"] as const;
const OPTIONAL = ["scope", "provider"] as const;

type Column = (typeof COLUMNS)[number] | (typeof OPTIONAL)[number];
type Line = Readonly<Partial<Record<Column, string>>> & {
  readonly number: number;
  /** Present if the line cannot be read. */
  readonly fault?: string;
};

/** Kind of a resource of a provider, e.g. `hashicorp/aws:aws_s3_bucket`. */
const KIND = /^((?:[^/:\s]+\/){1,2}[^/:\s]+):([A-Za-z0-9_]+)$/;

/** Longest line in a message. */
const SHOWN = 100;

/**
 * Bad lines become refusals, so that a message can name all of them.
 *
 * @throws EngineError `IMPORT_REFUSED` for a list that cannot be read
 */
export async function readAdoptionList(text: string, { place }: Pick<ReadSettings, "place">): Promise<Imported> {
  const lines = text.trimStart().startsWith("{") ? fromNdjson(text) : fromCsv(text, place);
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
    const missing = COLUMNS.filter((column) => !line[column]);
    const fault = line.fault ?? (missing.length === 0 ? undefined : `it has no ${missing.join(" and no ")}`);
    if (fault !== undefined) {
      refusals.push({ address: `line ${number}`, reason: fault, advice: "Correct this line." });
      continue;
    }
    const path = scope.split("/").flatMap((step) => (step === "" ? [] : [{ name: step }]));
    const address = [...path.map((step) => step.name), `${kind.split(":").at(-1)}.${name}`]
      .join("/")
      .replaceAll("[", "(");
    const [, source, type] = KIND.exec(kind) ?? [];
    if (source === undefined || type === undefined) {
      refusals.push({
        address,
        reason: `"${kind}" is not the kind of a provider's resource, such as hashicorp/aws:aws_s3_bucket`,
        advice: "Declare other resources in the program with the option adopt.",
      });
      continue;
    }
    const before = lineOf.get(address);
    if (before !== undefined) {
      const reason = `line ${number} has the same scope, type and name as line ${before}`;
      refusals.push({ address, reason, advice: "Give one of them another name." });
      continue;
    }
    lineOf.set(address, number);
    for (let length = 1; length <= path.length; length++) addScope(scopes, path.slice(0, length));
    const value: FoundById = { by: "id", importId: id };
    const host = source.split("/").length === 2 ? `registry.opentofu.org/${source}` : source;
    const provider = { source: host.toLowerCase(), ...(alias === "" ? {} : { alias }) };
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

function addScope(scopes: Map<string, ImportedScope>, path: ScopePath): void {
  const key = JSON.stringify(path);
  if (!scopes.has(key)) scopes.set(key, { path });
}

function fromNdjson(text: string): readonly Line[] {
  return text.split("\n").flatMap((line, at): readonly Line[] => {
    if (line.trim() === "") return [];
    const number = at + 1;
    let json: unknown;
    try {
      json = JSON.parse(line);
    } catch {
      return [{ number, fault: "it is not JSON" }];
    }
    if (typeof json !== "object" || json === null) return [{ number, fault: "it is not an object" }];
    const members = Object.entries(json);
    const odd = members.find(([name, value]) => !isColumn(name) || typeof value !== "string");
    if (!odd) return [{ ...Object.fromEntries(members), number }];
    const name = JSON.stringify(odd[0]).slice(0, SHOWN);
    return [{ number, fault: `it has ${name}, which is not a text of a known column` }];
  });
}

function fromCsv(text: string, place: string): readonly Line[] {
  const [head, ...rows] = rowsOf(text, place);
  const names = head?.cells.map((cell) => cell.trim().toLowerCase()) ?? [];
  const known = names.filter(isColumn);
  if (known.length < names.length || COLUMNS.some((column) => !names.includes(column))) {
    const all = `${COLUMNS.join(", ")} and, if needed, ${OPTIONAL.join(" and ")}`;
    throw unusable(place, `has no first line with the columns: ${all}.`);
  }
  return rows.map(({ cells, number }) => {
    if (cells.length !== names.length)
      return { number, fault: `it has ${cells.length} cells, but the first line has ${names.length}` };
    return { ...Object.fromEntries(known.map((name, at) => [name, cells[at]?.trim() ?? ""])), number };
  });
}

function isColumn(name: string): name is Column {
  return [...COLUMNS, ...OPTIONAL].some((one) => one === name);
}

interface Row {
  readonly cells: readonly string[];
  /** Number of its first line, from 1. */
  readonly number: number;
}

/** Cells in double quotes can hold commas, line breaks and doubled quotes (RFC 4180). Empty lines do not count. */
function rowsOf(text: string, place: string): readonly Row[] {
  const rows: Row[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;
  const begin = text.startsWith("\uFEFF") ? 1 : 0;
  let [cells, number, line]: [string[], number, number] = [[], 1, 1];
  for (cell.lastIndex = begin; cell.lastIndex < text.length || cells.length > 0; ) {
    const found = cell.exec(text);
    if (!found) throw unusable(place, `is malformed: line ${line} has a quote that does not begin or end its cell.`);
    const [whole, quoted, plain = "", end] = found;
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    line += whole.split("\n").length - 1;
    if (end === ",") continue;
    if (cells.length > 1 || cells[0]?.trim() !== "") rows.push({ cells, number });
    [cells, number] = [[], line];
  }
  return rows;
}
