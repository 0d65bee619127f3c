/** Where a text stands in a state: in names, kinds and values, as people may see them. */
import { type Redact, sleep } from "../../base/index.js";
import { pointerOf } from "../../codec/index.js";
import type { Encoded, ResourceRecord } from "../../contract/index.js";
import { renderWhole } from "../../render/index.js";
import { decodedMasked } from "../detail.js";
import { compare } from "../listed.js";
import { fqnOf, type Naming, scopesIn } from "../recorded-name.js";

/** Where a text was found. */
export interface FoundText {
  readonly what: "resource" | "scope" | "value";
  /** Of the resource or scope. */
  readonly fqn: string;
  /** Of a value, its JSON Pointer, which begins as `/props`, `/output`, `/data/key` or `/error`. */
  readonly path?: string;
  /** The text with what stands around it. */
  readonly excerpt: string;
}

/** How much is looked for. */
export interface FindOptions {
  /** So many places at most. Default: 100. */
  readonly most?: number;
}

/** Others get their turn after so many. */
const AT_ONCE = 500;
const AROUND = 60;

/** Capital letters do not count. Names come first, then values; secrets are not looked into. */
export async function findIn(
  naming: Naming,
  text: string,
  { redact, most = 100 }: FindOptions & { readonly redact: Redact },
): Promise<readonly FoundText[]> {
  const wanted = text.toLowerCase();
  if (wanted === "") return [];
  const records = [...naming.contents.records.values()];
  const found: FoundText[] = [];
  for (const { key, kind } of records) {
    const excerpt = [key, kind].find((name) => name.toLowerCase().includes(wanted));
    if (excerpt !== undefined) found.push({ what: "resource", fqn: fqnOf(naming, key), excerpt });
    if (found.length >= most) break;
  }
  const scopes = [...scopesIn(naming.contents)].filter((path) => path.toLowerCase().includes(wanted));
  found.push(...scopes.map((path): FoundText => ({ what: "scope", fqn: fqnOf(naming, path), excerpt: path })));
  found.sort((one, other) => compare(one.fqn, other.fqn));
  for (const [index, record] of records.entries()) {
    if (found.length >= most) break;
    if (index % AT_ONCE === AT_ONCE - 1) await sleep(0);
    const fqn = fqnOf(naming, record.key);
    for (const match of matchesOf(naming, record, { wanted, redact })) found.push({ what: "value", fqn, ...match });
  }
  return found.slice(0, most);
}

interface Match {
  readonly path: string;
  readonly excerpt: string;
}

/** In all that is recorded of one resource. */
function* matchesOf(
  { contents }: Naming,
  record: ResourceRecord,
  { wanted, redact }: { readonly wanted: string; readonly redact: Redact },
): Generator<Match> {
  const data = [...(contents.data.get(record.uid) ?? [])];
  const slots: (readonly [string, Encoded | undefined])[] = [
    ["/props", record.props],
    ["/output", record.output],
    ["/error", record.error],
    ...data.map(([name, value]) => [pointerOf(["data", redact(name)]), value] as const),
  ];
  const inJson = JSON.stringify(wanted).slice(1, -1);
  for (const [path, encoded] of slots) {
    // To show each value would take many times as long as to look whether it may have the text at all.
    if (encoded === undefined || !JSON.stringify(encoded).toLowerCase().includes(inJson)) continue;
    yield* matchesIn(renderWhole(decodedMasked(encoded), redact), path, wanted);
  }
}

function* matchesIn(value: unknown, path: string, wanted: string): Generator<Match> {
  if (typeof value === "object" && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      const at = `${path}${pointerOf([name])}`;
      if (!Array.isArray(value) && name.toLowerCase().includes(wanted)) yield { path: at, excerpt: name };
      yield* matchesIn(member, at, wanted);
    }
    return;
  }
  const text = String(value);
  const at = text.toLowerCase().indexOf(wanted);
  if (at >= 0) yield { path, excerpt: excerptAt(text, at, wanted.length) };
}

function excerptAt(text: string, at: number, length: number): string {
  const [start, end] = [Math.max(0, at - AROUND), at + length + AROUND];
  return `${start > 0 ? "…" : ""}${text.slice(start, end)}${end < text.length ? "…" : ""}`;
}
