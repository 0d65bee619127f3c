/**
 * Three hundred secrets, in plain text only in the program: no answer of the server, no address and no file contains
 * one.
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { fsStore } from "../../../adapters/fs/index.js";
import { Secret } from "../../../plugins/secrets/secret.js";
import { uiWith } from "../../../plugins/ui/plugin.js";
import { pageWithEvents, startServer } from "../../../plugins/ui/server/index.js";
import { allRuns, stageSource } from "../../../plugins/ui/sources/index.js";
import { PASSWORD, secretStage } from "../../helpers/apps/secret-stage.js";
import { World } from "../../helpers/apps/world.js";
import { eventsIn, HTML, visit } from "./asking.js";

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const canaries = Array.from({ length: 300 }, (_, index) => `canary-${index}-${randomBytes(9).toString("base64url")}"ü`);

/** Every way of writing them, in plain text or encoded. */
const FORMS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => JSON.stringify(text).slice(1, -1),
  (text) => encodeURIComponent(text),
  (text) => Buffer.from(text).toString("hex"),
  (text) => Buffer.from(text).toString("base64"),
  (text) => Buffer.from(text).toString("base64url"),
];

function leaks(texts: readonly string[]): string[] {
  const all = texts.join("\n");
  return canaries.flatMap((canary, index) =>
    FORMS.flatMap((form) => (all.includes(form(canary)) ? [`${index} ${form}`] : [])),
  );
}

test("300 secrets are in no answer about a stage, its history and its runs, in no address, and in no file", async () => {
  const rootDir = await mkdtemp(join(tmpdir(), "canary-"));
  ends.push(() => rm(rootDir, { recursive: true }));
  const store = fsStore({ root: join(rootDir, "state") })({
    appName: "app",
    stage: "dev",
    rootDir,
    profile: undefined,
    warn() {},
  });
  const world = new World();
  const Thing = world.type();
  const seen: string[] = [];
  let isWatched: Promise<unknown> | undefined;
  const opened = async (url: string): Promise<void> => {
    const { get } = await visit(url);
    const [row] = (await get("/api/runs")).json;
    const { text } = await get(`/api/runs/${row.run}/events`);
    seen.push(
      text,
      pageWithEvents(
        HTML,
        eventsIn(text).map((event) => JSON.stringify(event)),
      ),
    );
  };
  const told = (url: string): void => {
    isWatched = opened(url);
  };
  const plugin = uiWith({ opened: told }, { html: HTML });
  const stage = secretStage({ stateStore: store, rootDir, password: PASSWORD, plugins: [plugin] });
  const make = (from: number) => async (): Promise<void> => {
    await Promise.all(
      Array.from({ length: 50 }, (_, index) => {
        const few = canaries.slice(from + index * 3, from + index * 3 + 3).map((one) => new Secret(one));
        return Thing(`thing-${index}`, { value: { plain: index, few, inside: { deep: few[0] } } });
      }),
    );
  };
  await stage.up(make(0));
  await isWatched;
  await stage.up(make(150));
  await isWatched;

  const stages = stageSource(store, { env: {} });
  const source = { label: store.location ?? "", stages, runs: allRuns([]), redact: (text: string) => text };
  const server = await startServer(source, { html: HTML });
  ends.push(
    () => server.close(),
    () => stages.close(),
  );
  const { get } = await visit(server.url());
  const at = "/api/stages/app/dev";
  const history = (await get(`${at}/history`)).json;
  const paths = [
    "/api/about",
    "/api/stages",
    at,
    `${at}/history`,
    `${at}/resources`,
    `${at}/difference?from=${history[0].seq}&to=${history[1].seq}`,
    `${at}/search?q=canary`,
    `${at}/search?q=thing`,
    ...canaries.slice(0, 3).map((canary) => `${at}/search?q=${encodeURIComponent(canary)}`),
    ...Array.from({ length: 50 }, (_, index) => `app/dev/thing-${index}`).flatMap((fqn) => [
      `${at}/resource?fqn=${fqn}`,
      `${at}/resource?fqn=${fqn}&seq=${history[0].seq}`,
      `${at}/values?fqn=${fqn}`,
      `${at}/neighbours?fqn=${fqn}`,
    ]),
  ];
  for (const path of paths) {
    const { status, text, headers } = await get(path);
    expect([path, status]).toEqual([path, 200]);
    seen.push(text, JSON.stringify(headers));
  }
  expect(seen.join("")).toContain("(secret)");
  expect(leaks([...seen, server.url()])).toEqual([]);
  for (const entry of await readdir(rootDir, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) expect(leaks([await readFile(join(entry.parentPath, entry.name), "utf8")])).toEqual([]);
  }
  expect(leaks([canaries[7] ?? ""])).not.toEqual([]);
});
