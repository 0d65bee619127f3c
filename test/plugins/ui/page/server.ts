/** A server of the page's API with generated stages and runs, so that the page is tested alone. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { About, FoundNames, RunRow, UiEvent, ValueAt } from "../../../../plugins/ui/api/index.js";
import { emptyView, endOfEvents, reduce, runRowOf } from "../../../../plugins/ui/model/index.js";
import { adjacencyOf, neighbourhoodOf } from "../../../../plugins/ui/sources/resource-rows.js";
import { fleetAnswer } from "./fleets.js";
import { recordedIn } from "./recorded.js";
import { runs } from "./runs.js";
import { changesOf, detailOf, difference, headOf, history, rowsOf, stages } from "./stages.js";

export interface FixtureServer {
  readonly url: string;
  /** Answers to the questions. */
  readonly answers: { readonly question: string; readonly approved: boolean }[];
  /** Number of listeners to `run-streamed`. */
  listeners(): number;
  /** Sends events of the running `run-streamed`. */
  send(events: readonly UiEvent[]): void;
  /** Ends the connections of these listeners. */
  cut(): void;
  /** Event numbers from which `run-streamed` was requested. */
  readonly from: readonly number[];
  close(): Promise<void>;
}

const ENDLESS = ["run-live", "run-asks", "run-asks-300", "run-streamed"];

/** @param page the HTML of the page */
export async function serveFixture(page: string, overrides: Partial<About> = {}): Promise<FixtureServer> {
  const about: About = {
    version: "0.1.0",
    source: "store",
    label: "s3://acme-state",
    allowsChanges: true,
    canLook: true,
    ...overrides,
  };
  const answers: { question: string; approved: boolean }[] = [];
  const streams = new Set<ServerResponse>();
  const from: number[] = [];
  let sent = 0;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    if (url.pathname === "/") {
      response.writeHead(200, { "content-type": "text/html" }).end(page);
      return;
    }
    const run = /^\/api\/runs\/([^/]+)\/events$/.exec(url.pathname)?.[1];
    if (run !== undefined) {
      const first = Number(url.searchParams.get("from"));
      if (run !== "run-streamed" && !runs.has(decodeURIComponent(run))) {
        respond(response, 404, { code: "NOT_RECORDED", message: "No such run.", near: [...runs.keys()].slice(0, 3) });
        return;
      }
      stream(decodeURIComponent(run), first, response);
      if (run !== "run-streamed") return;
      from.push(first);
      streams.add(response.on("close", () => streams.delete(response)));
      return;
    }
    if (request.method === "POST") {
      posted(request, url.pathname, response, answers);
      return;
    }
    const answer = url.pathname === "/api/about" ? about : answerTo(url);
    if (answer === undefined)
      respond(response, 404, {
        code: "NOT_RECORDED",
        message: "Nothing is recorded under that name.",
        ...nearOf(url),
      });
    else respond(response, 200, answer);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    answers,
    listeners: () => streams.size,
    send: (events) => {
      sent += events.length;
      for (const one of streams) one.write(`id: ${sent}\ndata: ${JSON.stringify(events)}\n\n`);
    },
    cut: () => {
      for (const one of streams) one.destroy();
    },
    from,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

function respond(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function stream(run: string, from: number, response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(": open\n\n");
  const events = runs.get(run) ?? [];
  const left = events.slice(from);
  if (left.length > 0) response.write(`id: ${events.length}\ndata: ${JSON.stringify(left)}\n\n`);
  if (!ENDLESS.includes(run)) response.end("event: end\ndata: {}\n\n");
}

function posted(
  request: IncomingMessage,
  path: string,
  response: ServerResponse,
  answers: FixtureServer["answers"],
): void {
  let text = "";
  request.on("data", (chunk) => {
    text += String(chunk);
  });
  request.on("end", () => {
    if (request.headers["content-type"] !== "application/json")
      respond(response, 415, { code: "NO_JSON", message: "The body must be JSON." });
    else if (path === "/api/session") {
      const isGood = JSON.parse(text).token === "good";
      respond(response, isGood ? 200 : 401, isGood ? { key: "key" } : { code: "TOKEN_REFUSED", message: "No." });
    } else if (path.endsWith("/drift")) respond(response, 202, { run: "run-drift" });
    else if (path.endsWith("/answer") || path.endsWith("/request")) {
      answers.push(JSON.parse(text));
      response.writeHead(204).end();
    } else respond(response, 404, { code: "NOT_FOUND", message: "There is no such address." });
  });
}

/** Names that are near to a stage, a resource or a fleet that does not exist; a fleet "none" has no run. */
function nearOf(url: URL): { readonly near?: readonly string[] } {
  const { pathname } = url;
  if (pathname === "/api/fleets/none") return {};
  if (pathname.startsWith("/api/fleets/")) return { near: ["tenants", "sites"] };
  if (pathname.endsWith("/resource")) return { near: ["shop/prod/edge/balancer", "shop/prod/edge/certificate"] };
  return /^\/api\/stages\/[^/]+\/[^/]+$/.test(pathname) ? { near: ["shop/prod", "shop/dev", "shop/staging"] } : {};
}

function answerTo(url: URL): unknown {
  const [, , what, ...rest] = url.pathname.split("/").map(decodeURIComponent);
  if (what === "runs") return runRows();
  if (what === "fleets") return fleetAnswer(rest[0] ?? "", rest[1], url.searchParams.get("name"));
  if (what === "search") return { found: foundAnywhere(url.searchParams.get("q") ?? ""), left: 1 };
  if (what !== "stages") return undefined;
  const [app, stage, part] = rest;
  if (app === undefined || stage === undefined) return stages;
  const fqn = url.searchParams.get("fqn") ?? "";
  switch (part) {
    case undefined:
      return headOf(app, stage);
    case "resources":
      return rowsOf(app, stage, Number(url.searchParams.get("from")), Number(url.searchParams.get("limit")));
    case "resource": {
      const detail = detailOf(app, stage, fqn);
      const head = headOf(app, stage);
      if (!detail) return undefined;
      return {
        seq: head?.seq ?? 0,
        seal: head?.seal ?? "none",
        copies: [detail],
        ...(head?.holder && { holder: head.holder }),
      };
    }
    case "values":
      return valuesOf(fqn);
    case "neighbours":
      return neighboursOf(app, stage, url);
    case "search":
      return found(app, stage, url.searchParams.get("q") ?? "");
    case "changes":
      return changesOf(app, stage);
    case "history":
      return stage === "prod" ? history : [];
    case "difference":
      return difference(Number(url.searchParams.get("from")), Number(url.searchParams.get("to")));
    default:
      return undefined;
  }
}

function runRows(): readonly RunRow[] {
  return [...runs].flatMap(([run, events]) => {
    const view = events.reduce(reduce, emptyView());
    return runRowOf(ENDLESS.includes(run) ? view : endOfEvents(view)) ?? [];
  });
}

const run = (seq: number) => history.find((one) => one.seq === seq)?.run;

function valuesOf(fqn: string): readonly ValueAt[] {
  if (!fqn.startsWith("shop/prod/")) return [];
  return [
    {
      seq: 412,
      run: run(412),
      what: "changed",
      changes: [{ path: "/props/replicas", old: 2, new: 3 }],
      seal: "verified",
    },
    {
      seq: 408,
      run: run(408),
      what: "changed",
      seal: "unverified",
      changes: [
        { path: "/props/environment/LOG_LEVEL", old: "debug", new: "info" },
        { path: "/props/script", lines: ["  set -eu", "- exec node server.js", "+ exec node server.js --port 8080"] },
      ],
    },
    {
      seq: 403,
      run: undefined,
      what: "made",
      seal: "none",
      changes: [
        { path: "/props/replicas", new: 2 },
        { path: "/output/id", new: "task-9f2a7d" },
      ],
    },
  ];
}

function neighboursOf(app: string, stage: string, url: URL): unknown {
  const all = recordedIn(app, stage) ?? [];
  const head = `${app}/${stage}/`;
  const nodes = all.map(({ path, kind }) => ({ fqn: head + path, kind }));
  const edges = all.flatMap(({ path, needs = [] }) =>
    needs.map((need) => ({ from: head + need, to: head + path, certain: !need.includes("role") })),
  );
  const statuses = new Map(all.map(({ path, status }) => [head + path, status]));
  const steps = url.searchParams.get("steps");
  return neighbourhoodOf(url.searchParams.get("fqn") ?? "", {
    adjacency: adjacencyOf({ edges }),
    nodes,
    statuses,
    ...(steps === null ? {} : { steps: Number(steps) }),
  });
}

function foundAnywhere(text: string): FoundNames["found"] {
  const words = text.toLowerCase().split(" ");
  return stages.flatMap(({ app, stage }) => {
    const all = (stage === "load" ? [] : recordedIn(app, stage)) ?? [];
    const hits = all.filter(({ path, kind }) =>
      words.every((word) => `${app}/${stage}/${path} ${kind}`.toLowerCase().includes(word)),
    );
    return hits.slice(0, 20).map(({ path, kind }) => ({ app, stage, fqn: `${app}/${stage}/${path}`, kind }));
  });
}

function found(app: string, stage: string, text: string): unknown {
  const all = recordedIn(app, stage) ?? [];
  const words = text.toLowerCase().split(" ");
  const hits = all
    .filter(({ path, kind }) => words.every((word) => `${path} ${kind}`.toLowerCase().includes(word)))
    .slice(0, 40);
  const inValue = {
    what: "value",
    fqn: `${app}/${stage}/services/api/task`,
    path: "/props/environment/FEATURE_FLAGS",
    excerpt: "search,checkout-v2",
  };
  const resources = hits.map(({ path }) => ({ what: "resource", fqn: `${app}/${stage}/${path}`, excerpt: path }));
  return "search,checkout-v2".includes(text) ? [...resources, inValue] : resources;
}
