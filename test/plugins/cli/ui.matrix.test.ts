/** `engine ui` and `--ui` of the packed package, in processes of their own. */
import { readdir } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { engineProject, lacksPackage, type Project } from "../../helpers/processes/engine-project.ts";
import { type CliSession, startSession } from "../../helpers/terminal/cli-session.ts";
import { describeUnless } from "../../servers/given.ts";
import { eventsIn, type Visitor, visit } from "../ui/asking.ts";

const PROGRAM = `
import { engine } from "scope-engine";
import { File } from "scope-engine/resources";
const app = await engine("shop");
await File("index", { path: "index.html", content: "hello" });
await app.finalize();
`;

/** A resource that logs a secret. */
const LOGGING = `
import { engine, Resource } from "scope-engine";
const Login = Resource("demo:Login", {
  create({ log }) {
    log("logging in with " + process.env.CANARY);
    return {};
  },
  delete() {},
});
const app = await engine("shop");
await Login("login", { token: engine.secret(process.env.CANARY ?? "", "token") });
await app.finalize();
`;

let project: Project | undefined;
let session: CliSession | undefined;
afterEach(async () => {
  await session?.leave();
  await project?.remove();
  [session, project] = [undefined, undefined];
});

async function shop(): Promise<Project> {
  project = await engineProject({ "engine.run.ts": PROGRAM });
  await project.engine("up", "--stage=dev");
  return project;
}

async function started(folder: Project, ...args: string[]): Promise<{ session: CliSession; url: string }> {
  session = startSession(folder, args);
  return { session, url: `http://127.0.0.1:${await session.next("http://127.0.0.1:")}` };
}

/** Resolves with true if a server listens there. */
function isServed(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port: Number(new URL(url).port) });
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}

async function looked({ get, post }: Visitor): Promise<readonly unknown[]> {
  const { status, json } = await post("/api/stages/shop/dev/drift");
  expect(status).toBe(202);
  return eventsIn((await get(`/api/runs/${json.run}/events`)).text);
}

describeUnless(lacksPackage, "engine ui", () => {
  test("shows the program's stage, looks for drift, and ends at once with Ctrl-C", async () => {
    const folder = await shop();
    const { session: served, url } = await started(folder, "ui", "--allow-changes");
    const visitor = await visit(url);
    expect((await visitor.get("/api/about")).json).toMatchObject({
      stage: { app: "shop", stage: "dev" },
      canLook: true,
    });
    expect((await visitor.get("/api/stages/shop/dev")).json).toMatchObject({ resources: 1 });
    expect((await visitor.get("/")).text).toMatch(/^<!doctype html>/i);
    await folder.write("index.html", "other");
    const events = await looked(visitor);
    expect(events).toMatchObject([
      { type: "run:started", phase: "read" },
      { type: "resource:drifted", fqn: "shop/dev/index", changes: [{}] },
      { type: "run:finished", ok: true, summary: { read: 1 } },
    ]);
    expect((await visitor.post("/api/stages/shop/other/drift")).status).toBe(400);
    served.process.kill("SIGINT");
    expect((await served.ended).code).toBe(130);
    expect(await isServed(url)).toBe(false);
  });

  test("names the stages that are meant if there is none of that name", async () => {
    const folder = await shop();
    const { session: served } = await started(folder, "ui", "--stage=dve");
    expect(await served.next("warning: ")).toContain('Did you mean "dev"?');
  });

  test("leaves no lock, no file and no port where it is killed", async () => {
    const folder = await shop();
    const before = await folder.names();
    const { session: served, url } = await started(folder, "ui");
    const visitor = await visit(url);
    await visitor.get("/api/stages/shop/dev");
    served.process.kill("SIGKILL");
    await served.ended;
    expect(await isServed(url)).toBe(false);
    expect(await folder.names()).toEqual(before);
    expect((await folder.engine("up", "--stage=dev", "--lock=eager")).code).toBe(0);
  });

  test("shows the runs of a file, and writes one as a page", async () => {
    const folder = await shop();
    const { stdout } = await folder.engine("up", "--stage=dev", "--json");
    await folder.write("run.ndjson", stdout);
    const { url } = await started(folder, "ui", "run.ndjson");
    const { get } = await visit(url);
    expect((await get("/api/about")).json).toMatchObject({ source: "events", allowsChanges: false });
    expect((await get("/api/runs")).json).toMatchObject([{ app: "shop", state: "done" }]);
    expect((await folder.engine("ui", "run.ndjson", "--out", "run.html")).code).toBe(0);
    const page = await folder.read("run.html");
    const [, data = ""] = /<script type="application\/json" id="run">(.*?)<\/script>/s.exec(page) ?? [];
    expect(JSON.parse(data)).toHaveLength(stdout.trim().split("\n").length);
    await folder.write("none.ndjson", "nothing\n");
    expect(await folder.engine("ui", "none.ndjson", "--out", "x.html")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("contains no run"),
    });
  });

  test("shows the state and the kept runs on one server, and no secret is in their events", async () => {
    project = await engineProject({ "engine.run.ts": LOGGING });
    const env = { ENGINE_PASSWORD: "open sesame", CANARY: "canary-7c1e-4b2d" };
    expect((await project.engineWith(env, "up", "--stage=dev", "--events", "runs")).code).toBe(0);
    const [name = ""] = await readdir(join(project.folder, "runs"));
    const text = await project.read(`runs/${name}`);
    expect(text).toMatch(/logging in with \*\*\*[\s\S]*"run:finished"/);
    expect(text).not.toContain(env.CANARY);
    const { url } = await started(project, "ui", "engine.run.ts", "--stage=dev", "--events", "runs");
    const { get } = await visit(url);
    expect((await get("/api/about")).json).toMatchObject({ source: "store", stage: { app: "shop", stage: "dev" } });
    expect((await get("/api/stages/shop/dev/history")).json).toHaveLength(1);
    expect((await get("/api/runs")).json).toMatchObject([{ app: "shop", stage: "dev", state: "done" }]);
  });

  test("beside a run does not keep it where no terminal is there", async () => {
    project = await engineProject({ "engine.run.ts": PROGRAM });
    const { code, stderr } = await project.engine("up", "--ui");
    expect([code, stderr]).toEqual([0, expect.stringMatching(/page of this run: http:\/\/127\.0\.0\.1:\d+\/#token=/)]);
  });
});
