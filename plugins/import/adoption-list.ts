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
type Line = Readonly<Partial<Record<Column, string>>> & { readonly number: number };

/** Kind of a resource of a provider, e.g. `hashicorp/aws:aws_s3_bucket`. */
const KIND = /^((?:[^/:\s]+\/){1,2}[^/:\s]+):([A-Za-z0-9_]+)$/;

/** Longest line in a message. */
const SHOWN = 100;

/** @throws EngineError `IMPORT_REFUSED` for a malformed or empty list */
export async function readAdoptionList(text: string, { place }: Pick<ReadSettings, "place">): Promise<Imported> {
  const lines = text.trimStart().startsWith("{") ? fromNdjson(text, place) : fromCsv(text, place);
  if (lines.length === 0) throw refused(place, "lists no resource.");
  return importedFrom(lines, place);
}

function importedFrom(lines: readonly Line[], place: string): Imported {
  const [resources, refusals]: [ImportedResource[], Refusal[]] = [[], []];
  const scopes = new Map<string, ImportedScope>();
  for (const line of lines) {
    const { kind = "", name = "", id = "", scope = "", provider: alias = "", number } = line;
    const missing = COLUMNS.find((column) => !line[column]);
    if (missing !== undefined) throw refused(place, `is malformed: line ${number} has no ${missing}.`);
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
    for (let length = 1; length <= path.length; length++) addScope(scopes, path.slice(0, length));
    const value: FoundById = { by: "id", importId: id };
    const host = source.split("/").length === 2 ? `registry.opentofu.org/${source}` : source;
    const provider = { source: host.toLowerCase(), ...(alias === "" ? {} : { alias }) };
    resources.push({ address, scope: path, name, type, provider, value, dependencies: [], status: "ready" });
  }
  return {
    source: { tool: "a list", place },
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

function fromNdjson(text: string, place: string): readonly Line[] {
  return text.split("\n").flatMap((line, at) => {
    if (line.trim() === "") return [];
    const malformed = (why: string, cause?: unknown): Error =>
      refused(place, `is malformed: line ${at + 1} ${why}.`, cause);
    let json: unknown;
    try {
      json = JSON.parse(line);
    } catch (error) {
      throw malformed("is not JSON", error);
    }
    if (typeof json !== "object" || json === null) throw malformed("is not an object");
    const members = Object.entries(json);
    const odd = members.find(([name, value]) => !isColumn(name) || typeof value !== "string");
    if (odd) throw malformed(`has ${JSON.stringify(odd[0]).slice(0, SHOWN)}, which is not a text of a known column`);
    return [{ ...Object.fromEntries(members), number: at + 1 }];
  });
}

function fromCsv(text: string, place: string): readonly Line[] {
  const [head, ...rows] = rowsOf(text, place);
  const names = head?.cells.map((cell) => cell.trim().toLowerCase()) ?? [];
  const known = names.filter(isColumn);
  if (known.length < names.length || COLUMNS.some((column) => !names.includes(column))) {
    const all = `${COLUMNS.join(", ")} and, if needed, ${OPTIONAL.join(" and ")}`;
    throw refused(place, `has no first line with the columns: ${all}.`);
  }
  return rows.map(({ cells, number }) => {
    if (cells.length !== names.length)
      throw refused(
        place,
        `is malformed: line ${number} has ${cells.length} cells, but the first line has ${names.length}.`,
      );
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
    if (!found) throw refused(place, `is malformed: line ${line} has a quote that does not begin or end its cell.`);
    const [whole, quoted, plain = "", end] = found;
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    line += whole.split("\n").length - 1;
    if (end === ",") continue;
    if (cells.length > 1 || cells[0]?.trim() !== "") rows.push({ cells, number });
    [cells, number] = [[], line];
  }
  return rows;
}
