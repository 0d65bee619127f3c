/** Options of the command line. */
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { PEERS } from "./peers.js";
import { AGAINST_ROWS, ALL_ROWS, FIGURE_ROWS, QUICK_ROWS, type Row, STORE_ROWS, TARGET_ROWS } from "./rows.js";

export interface BenchOptions {
  readonly runs: number;
  readonly rows: readonly Row[];
  readonly json: string | undefined;
  readonly svg: string | undefined;
  /** A report to draw, instead of measuring. */
  readonly from: string | undefined;
  /** A build to measure, by the file of its entry; undefined: one is made. */
  readonly entry: string | undefined;
  /** A commit whose build is measured beside this one, instead of peers. */
  readonly against: string | undefined;
  /** Folder of an install of Alchemy. */
  readonly peer: string | undefined;
  readonly peers: boolean;
}

const CHOICES = ["quick", "full", "figure", "stores"] as const;

/** An invalid command line. */
export class BadOption extends Error {}

/** @throws BadOption */
export function parseOptions(argv: readonly string[]): BenchOptions {
  const values = valuesOf(argv);
  const { quick = false, peer, from, entry, against } = values;
  const choices = CHOICES.filter((name) => values[name]).map((name) => `--${name}`);
  if (choices.length > 1) throw new BadOption(`${choices.join(" and ")} exclude each other.`);
  const others = ([...CHOICES, "json", "svg", "from", "peer"] as const).filter((name) => values[name]);
  if (against !== undefined && others[0]) throw new BadOption(`--against and --${others[0]} exclude each other.`);
  const withoutPeers = values["no-peers"] === true;
  if (withoutPeers && peer !== undefined) throw new BadOption("--peer and --no-peers exclude each other.");
  if (peer !== undefined && !existsSync(join(peer, PEERS.alchemy.has))) {
    throw new BadOption(`--peer: ${peer} has no ${PEERS.alchemy.has}. Install ${PEERS.alchemy.package} there.`);
  }
  for (const [name, file] of Object.entries({ from, entry })) {
    if (file !== undefined && !existsSync(file)) throw new BadOption(`--${name}: there is no file ${file}.`);
  }
  return {
    runs: values.runs === undefined ? defaultRuns(quick, against) : positive("--runs", values.runs),
    rows: rowsOf(values),
    json: writable("--json", values.json ?? documented(values).json),
    svg: writable("--svg", values.svg ?? documented(values).svg),
    from,
    entry: entry && resolve(entry),
    against,
    peer: peer && resolve(peer),
    peers: !withoutPeers,
  };
}

function valuesOf(argv: readonly string[]) {
  const text = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  const options = {
    runs: text,
    only: text,
    quick: flag,
    full: flag,
    figure: flag,
    stores: flag,
    json: text,
    svg: text,
    from: text,
    entry: text,
    against: text,
    peer: text,
    "no-peers": flag,
  };
  return refusing(() => parseArgs({ args: [...argv], options }).values);
}

/** The result of `parseArgs`. @throws BadOption in place of its errors */
export function refusing<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new BadOption(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

interface Choice {
  readonly against?: string;
  readonly only?: string;
  readonly quick?: boolean;
  readonly full?: boolean;
  readonly figure?: boolean;
  readonly stores?: boolean;
  readonly svg?: string;
  readonly from?: string;
}

/** `--only` searches all rows, so that any of them can be run by itself; a full name selects that row alone. */
function rowsOf({ only, quick, full, figure, stores, svg, against }: Choice): readonly Row[] {
  const isChosen = ({ name }: Row) => only === undefined || name.toLowerCase().includes(only.toLowerCase());
  let rows = only !== undefined || full ? ALL_ROWS : TARGET_ROWS;
  if (quick) rows = QUICK_ROWS;
  else if (figure) rows = FIGURE_ROWS;
  else if (stores) rows = STORE_ROWS;
  else if (against !== undefined && only === undefined) rows = AGAINST_ROWS;
  // A figure would be empty without its own rows.
  else if (svg !== undefined && only === undefined)
    rows = [...new Map([...rows, ...FIGURE_ROWS].map((row) => [row.name, row])).values()];
  const named = rows.filter(({ name }) => name === only);
  const chosen = named.length > 0 ? named : rows.filter(isChosen);
  if (chosen.length === 0) {
    throw new BadOption(`--only: no row has "${only}" in its name. There are rows like "${rows[1]?.name}".`);
  }
  return chosen;
}

function defaultRuns(quick: boolean, against: string | undefined): number {
  if (against !== undefined) return 9;
  return quick ? 3 : 5;
}

/** The documentation's own files, for a whole measurement of its rows. */
function documented({ figure, stores, only, from }: Choice): { readonly json?: string; readonly svg?: string } {
  if (only !== undefined || from !== undefined) return {};
  const guide = join(import.meta.dirname, "../../docs/guide");
  if (stores) return { json: join(guide, "speed-stores.json") };
  return figure ? { json: join(guide, "speed.json"), svg: join(guide, "speed.svg") } : {};
}

function positive(name: string, text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new BadOption(`${name} takes a whole number from 1, not "${text}".`);
}

/** Checked before minutes are spent on the measurement that is to be written there. */
function writable(name: string, file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  if (!existsSync(dirname(resolve(file))))
    throw new BadOption(`${name}: there is no folder ${dirname(resolve(file))}.`);
  return resolve(file);
}
