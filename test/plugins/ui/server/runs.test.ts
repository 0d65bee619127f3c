import { get } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { memoryStore } from "../../../../adapters/memory/index.js";
import { definePlugin } from "../../../../core/plugin/index.js";
import { approval } from "../../../../plugins/approval/index.js";
import { createEngine } from "../../../../plugins/engine/index.js";
import type { UiEvent } from "../../../../plugins/ui/api/index.js";
import { uiWith } from "../../../../plugins/ui/plugin.js";
import { startServer } from "../../../../plugins/ui/server/index.js";
import { KeptRun, LiveRuns } from "../../../../plugins/ui/sources/index.js";
import { World } from "../../../helpers/apps/world.js";
import { until } from "../../../helpers/time/until.js";
import { eventsIn, HTML, visit } from "../asking.js";

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

const time = "2026-01-02T03:04:05.678Z";
const by = { user: "ann", host: "elsewhere", pid: 1 };
const started: UiEvent = { type: "run:started", time, run: "1", app: "a", stage: "b", phase: "up", planned: false, by };
const finished: UiEvent = { ...started, type: "run:finished", ok: true, interrupted: false, summary: {}, duration: 1 };

async function served() {
  const runs = new LiveRuns();
  const run = new KeptRun("1");
  runs.add(run);
  run.add(started);
  const server = await startServer({ label: "runs", runs, redact: (text) => text }, { html: HTML, allowChanges: true });
  ends.push(() => server.close());
  return { runs, run, server, visitor: await visit(server.url()) };
}

/**
 * Resolves with a count once it stayed the same for twenty turns: in each turn, both ends of a socket had their chance.
 */
async function settled(count: () => number): Promise<number> {
  let [last, still] = [count(), 0];
  while (still < 20) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    const present = count();
    [last, still] = [present, present === last ? still + 1 : 0];
  }
  return last;
}

describe("the events of a run", () => {
  test("are sent as they come, in order, each once, and end with the run", async () => {
    const { run, visitor } = await served();
    const answer = visitor.get("/api/runs/1/events");
    for (let index = 0; index < 5000; index++) run.add({ type: "resource:log", time, message: String(index) });
    run.add(finished);
    const { text, headers } = await answer;
    expect(headers["content-type"]).toMatch("text/event-stream");
    const events = eventsIn(text);
    expect(events.map(({ message, type }) => message ?? type)).toEqual([
      "run:started",
      ...Array.from({ length: 5000 }, (_, index) => String(index)),
      "run:finished",
    ]);
    expect(text).toMatch(/id: 5002\ndata: .*\n\nevent: end\ndata:\n\n$/);
    expect(eventsIn((await visitor.get("/api/runs/1/events?from=5001")).text)).toMatchObject([
      { type: "run:finished" },
    ]);
    expect((await visitor.get("/api/runs")).json).toMatchObject([{ run: "1", state: "done" }]);
  });

  test("wait for a page that is slow, and are not kept once more for it", async () => {
    const { run, server, visitor } = await served();
    const response = await new Promise<import("node:http").IncomingMessage>((resolve) => {
      const headers = visitor.own;
      get({ host: "127.0.0.1", port: server.port, path: "/api/runs/1/events", headers, agent: false }, resolve);
    });
    const reads: number[] = [];
    const read = run.read.bind(run);
    run.read = async (from) => {
      reads.push(from);
      return read(from);
    };
    for (let index = 0; index < 30_000; index++) run.add({ type: "resource:log", time, message: "x".repeat(500) });
    await until(() => reads.length > 0);
    expect(await settled(() => reads.length)).toBeLessThan(30);
    run.add(finished);
    let size = 0;
    for await (const chunk of response) size += chunk.length;
    expect(size).toBeGreaterThan(30_000 * 500);
    expect(server.watching).toBe(0);
  });

  test("end with the server", async () => {
    const { server, visitor } = await served();
    const answer = visitor.get("/api/runs/1/events").catch(() => "cut");
    await until(() => server.watching === 1);
    await server.close();
    await answer;
    expect(server.watching).toBe(0);
  });
});

describe("a question", () => {
  test("is answered once, by the first answer", async () => {
    const { runs, run, visitor } = await served();
    const { signal } = new AbortController();
    const answer = runs.ask(run, { question: "Delete it?", details: [], deletes: [], signal });
    run.add(finished);
    const [, asked] = eventsIn((await visitor.get("/api/runs/1/events")).text);
    expect(asked).toMatchObject({ type: "ui:asked", text: "Delete it?" });
    const question = asked?.question;
    expect((await visitor.post("/api/runs/1/answer", { question: "other", approved: true })).status).toBe(409);
    expect((await visitor.post("/api/runs/1/answer", { question })).status).toBe(400);
    expect((await visitor.post("/api/runs/1/answer", { question, approved: true })).status).toBe(204);
    expect(await answer).toBe(true);
    expect((await visitor.post("/api/runs/1/answer", { question, approved: false })).status).toBe(409);
  });
});

describe("the plugin ui", () => {
  const Thing = new World().type();

  test("shows a run from its first event, which does not wait for the page, and ends with it", async () => {
    let url = "";
    const opened = new Promise<void>((resolve) => {
      const live = { html: HTML };
      const told = (at: string): void => {
        url = at;
        resolve();
      };
      const plugin = uiWith({ opened: told }, live);
      const options = { stage: "dev", stateStore: memoryStore(), argv: [], env: {}, plugins: [plugin] };
      ends.push(async () => {
        await run;
      });
      const run = createEngine().up("app", options, async () => {
        await Thing("one");
        await opened;
        const { get: look } = await visit(url);
        const [row] = (await look("/api/runs")).json;
        expect(row).toMatchObject({ app: "app", state: "running" });
        expect((await look("/api/about")).json).toMatchObject({ source: "events", run: row.run });
        const events = look(`/api/runs/${row.run}/events`);
        heard = events.then(({ text }) => seen.push(...eventsIn(text).map(({ type }) => type)));
      });
    });
    const seen: string[] = [];
    let heard: Promise<unknown> | undefined;
    await opened;
    for (const end of ends.splice(0)) await end();
    await heard;
    expect(seen[0]).toBe("run:started");
    expect(seen).toContain("resource:created");
    expect(seen.at(-1)).toBe("run:finished");
    await expect(visit(url)).rejects.toThrow("ECONNREFUSED");
  });

  test("warns where its port is taken, and the run goes on", async () => {
    const { server } = await served();
    const warned: unknown[] = [];
    const told = new Promise<void>((resolve) => {
      const plugin = uiWith({ port: server.port }, { html: HTML });
      const hears = definePlugin({
        name: "hears",
        apply({ events }) {
          events.on("warning", ({ code, message }) => {
            warned.push({ code, message });
            resolve();
          });
        },
      });
      const options = { stage: "dev", stateStore: memoryStore(), argv: [], env: {}, plugins: [hears, plugin] };
      const run = createEngine().up("app", options, async () => {
        await Thing("one");
        await told;
      });
      ends.push(async () => {
        expect((await run).summary).toMatchObject({ created: 1, failed: 0 });
      });
    });
    await told;
    const start = `^The page cannot be served at port ${server.port} of 127.0.0.1: another program uses this port`;
    const message = expect.stringMatching(new RegExp(start));
    expect(warned).toEqual([{ code: "UI_FAILED", message }]);
  });

  test("has a question answered in the page where changes are allowed, and the prompt of the terminal ends", async () => {
    const shown: string[] = [];
    let isPrompted = false;
    const terminal = {
      isThere: true,
      show: (line: string) => void shown.push(line),
      ask: (_question: string, signal?: AbortSignal) => {
        isPrompted = true;
        return new Promise<string>((resolve) => signal?.addEventListener("abort", () => resolve("")));
      },
    };
    let url = "";
    const told = (at: string): void => {
      url = at;
    };
    const plugin = uiWith({ opened: told, allowChanges: true }, { html: HTML, terminal });
    const stateStore = memoryStore();
    const up = (program: () => unknown, plugins = [plugin, approval()]) =>
      createEngine().up("app", { stage: "dev", stateStore, env: {}, plugins }, program);
    await up(() => Thing("one"), []);
    const run = up(() => {});
    await until(() => isPrompted && url !== "");
    const { get: look, post } = await visit(url);
    const [row] = (await look("/api/runs")).json;
    const events = look(`/api/runs/${row.run}/events`);
    const question = await askedIn(url);
    expect((await post(`/api/runs/${row.run}/answer`, { question, approved: true })).status).toBe(204);
    expect(await run).toMatchObject({ summary: { deleted: 1 } });
    expect(shown.at(-1)).toBe("\nanswered in the page: yes");
    expect(eventsIn((await events).text).find(({ type }) => type === "ui:answered")).toMatchObject({ approved: true });
  });
});

/** The open question, from a stream that does not end. */
async function askedIn(url: string): Promise<string> {
  const { own: headers } = await visit(url);
  const port = new URL(url).port;
  const run = await new Promise<string>((resolve) => {
    get({ host: "127.0.0.1", port, path: "/api/runs", headers, agent: false }, async (answer) => {
      let text = "";
      for await (const chunk of answer) text += chunk;
      resolve(JSON.parse(text)[0].run);
    });
  });
  return new Promise((resolve) => {
    const path = `/api/runs/${run}/events`;
    const asking = get({ host: "127.0.0.1", port, path, headers, agent: false }, async (answer) => {
      let text = "";
      for await (const chunk of answer) {
        text += chunk;
        const asked = eventsIn(text).find(({ type }) => type === "ui:asked");
        if (!asked) continue;
        asking.destroy();
        return resolve(String(asked.question));
      }
    });
    asking.on("error", () => {});
  });
}
