/** Maps each path of `api` to its answer. */

import type { Redact } from "../../../core/base/index.js";
import type { About, Answer } from "../api/index.js";
import {
  type FleetSource,
  Missing,
  type RunEvents,
  type RunSource,
  type StageName,
  type StageSource,
} from "../sources/index.js";
import { Refusal } from "./answer.js";
import { fleetAnswer, orderIn } from "./fleet-routes.js";

/** An answer: a value as JSON, nothing, or events as they arrive. */
export type Answered =
  | { readonly status: 200 | 202; readonly json: unknown }
  | { readonly status: 204 }
  | { readonly status: "stream"; readonly run: RunEvents; readonly from: number };

export interface Wanted {
  readonly method: string;
  readonly url: URL;
  /** Number of the last event that an interrupted stream received. */
  readonly lastId: string | undefined;
  body(): Promise<Readonly<Record<string, unknown>>>;
}

const json = (value: unknown): Answered => ({ status: 200, json: value });

/** Longest search text in characters. */
const LONGEST_SEARCH = 500;

/** @throws Refusal, and errors of the source */
export function answerOf(source: UiSource, wanted: Wanted, allowsChanges: boolean): Promise<Answered> {
  const [, api, room, ...rest] = wanted.url.pathname.split("/").map(decoded);
  if (api !== "api") throw notFound();
  if (wanted.method === "POST") return changing(source, wanted, { room, rest, allowsChanges });
  if (room === "stages") return aboutStages(source.stages, wanted.url, rest);
  if (room === "runs") return aboutRuns(source, wanted, rest);
  if (room === "search" && rest.length === 0) return inAllStages(source.stages, wanted.url);
  if (room === "fleets") return aboutFleets(source, wanted.url, rest);
  throw notFound();
}

async function aboutStages(stages: StageSource | undefined, url: URL, rest: readonly string[]): Promise<Answered> {
  if (rest.length === 0) return json((await stages?.stages()) ?? []);
  const [app, stage, what, ...more] = rest;
  if (!stages || !app || !stage || more.length > 0) throw notFound();
  const name: StageName = { app, stage };
  const seq = whole(url, "seq");
  switch (what) {
    case undefined:
      return json(await stages.head(name));
    case "resources": {
      const range = { from: whole(url, "from") ?? 0, limit: whole(url, "limit") ?? 5000 };
      return json(await stages.resources(name, range, seq));
    }
    case "resource":
      return json(await stages.resource(name, needed(url, "fqn"), seq));
    case "part": {
      const where = { path: needed(url, "path"), from: whole(url, "from") ?? 0, seq };
      return json(await stages.part(name, needed(url, "fqn"), where));
    }
    case "values":
      return json(await stages.values(name, needed(url, "fqn")));
    case "neighbours":
      return json(await stages.neighbours(name, needed(url, "fqn"), whole(url, "steps")));
    case "search":
      return json(await stages.search(name, needed(url, "q").slice(0, LONGEST_SEARCH)));
    case "changes":
      return json(await stages.changes(name));
    case "history":
      return json(await stages.history(name));
    case "difference":
      return json(await stages.difference(name, Number(needed(url, "from")), Number(needed(url, "to"))));
    default:
      throw notFound();
  }
}

async function inAllStages(stages: StageSource | undefined, url: URL): Promise<Answered> {
  if (!stages) throw notFound();
  return json(await stages.searchAll(needed(url, "q").slice(0, LONGEST_SEARCH)));
}

async function aboutRuns({ runs }: UiSource, { url, lastId }: Wanted, rest: readonly string[]): Promise<Answered> {
  if (rest.length === 0) return json(runs.rows());
  const [id = "", what, ...more] = rest;
  if (id === "" || what !== "events" || more.length > 0) throw notFound();
  const run = runs.run(id);
  if (!run) {
    const others = runs.rows().map((row) => row.run);
    throw new Missing(`The server has no run "${id}".`, id, others);
  }
  const from = Math.max(whole(url, "from") ?? 0, Number(/^\d{1,12}$/.exec(lastId ?? "")?.[0] ?? 0));
  return { status: "stream", run, from };
}

async function aboutFleets({ fleets }: UiSource, url: URL, rest: readonly string[]): Promise<Answered> {
  const answer = fleets && (await fleetAnswer(fleets, rest, url));
  if (answer === undefined) throw notFound();
  return json(answer);
}

interface Change {
  readonly room: string | undefined;
  readonly rest: readonly string[];
  readonly allowsChanges: boolean;
}

async function changing(source: UiSource, { body }: Wanted, { room, rest, allowsChanges }: Change): Promise<Answered> {
  const [one = "", other = "", third] = rest;
  const isLook = room === "stages" && rest.length === 3 && third === "drift";
  const isAnswer = room === "runs" && rest.length === 2 && other === "answer";
  const isOrder = room === "fleets" && rest.length === 2 && other === "request";
  if (!isLook && !isAnswer && !isOrder) throw notFound();
  if (!allowsChanges) throw new Refusal(403, "READ_ONLY", "This server is read-only. Restart it with --allow-changes.");
  if (isLook) {
    if (!source.look)
      throw new Refusal(
        409,
        "NO_PROGRAM",
        "To check for drift, the server needs your program. Restart it with the program's file: `engine ui <entry> --allow-changes`.",
      );
    return { status: 202, json: { run: await source.look({ app: one, stage: other }) } };
  }
  if (isOrder) {
    if (!source.fleets) throw notFound();
    await source.fleets.request(one, orderIn(await body()));
    return { status: 204 };
  }
  if (source.runs.answer(one, answerIn(await body()))) return { status: 204 };
  throw new Refusal(409, "NOT_ASKED", "This question is not open. It was already answered, or the run did not ask it.");
}

function answerIn({ question, approved }: Readonly<Record<string, unknown>>): Answer {
  if (typeof question === "string" && typeof approved === "boolean") return { question, approved };
  throw new Refusal(400, "INVALID_BODY", 'An answer needs a text "question" and a boolean "approved".');
}

function needed(url: URL, name: string): string {
  const value = url.searchParams.get(name);
  if (value) return value;
  throw new Refusal(400, "INVALID_ARGUMENT", `The parameter "${name}" is missing.`);
}

function whole(url: URL, name: string): number | undefined {
  const text = url.searchParams.get(name);
  if (text === null) return undefined;
  if (/^\d{1,12}$/.test(text)) return Number(text);
  throw new Refusal(400, "INVALID_ARGUMENT", `The parameter "${name}" is not a whole number.`);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (cause) {
    throw notFound(cause);
  }
}

function notFound(cause?: unknown): Refusal {
  return new Refusal(404, "NOT_FOUND", "There is nothing at this address.", { cause });
}

/** The data of a server. */
export interface UiSource {
  /** In words, without credentials. */
  readonly label: string;
  readonly stages?: StageSource | undefined;
  readonly fleets?: FleetSource | undefined;
  readonly runs: RunSource;
  /** The fleet that the page is opened for. */
  readonly fleet?: string | undefined;
  /** The stage that the page is opened for. */
  readonly stage?: StageName | undefined;
  /** Returns the present run of this process, once it exists. Absent if the server shows other runs. */
  run?(): string | undefined;
  /** Begins a check for drift, and returns the id of its run. Absent if there is no program for it. */
  look?: ((name: StageName) => Promise<string>) | undefined;
  /** Masks secrets in messages. */
  readonly redact: Redact;
}

export function aboutOf(source: UiSource, { version, allowsChanges }: Pick<About, "version" | "allowsChanges">): About {
  const { label, stages, stage, fleet, look } = source;
  const run = source.run?.();
  return {
    version,
    source: stages ? "store" : "events",
    label,
    ...(stage && { stage }),
    ...(fleet === undefined ? {} : { fleet }),
    ...(run === undefined ? {} : { run }),
    ...(source.run ? { isBeside: true as const } : {}),
    allowsChanges,
    canLook: look !== undefined,
  };
}
