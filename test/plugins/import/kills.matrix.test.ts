/** An import that is killed at any change, in any store, leaves the old state or the new one, and can be repeated. */
import { randomUUID } from "node:crypto";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { lacksPackage, type Project } from "../../helpers/processes/engine-project.ts";
import { projectWithPeers } from "../../helpers/processes/project-with-peers.ts";
import { tableOf } from "../../helpers/stores/remote-stores.ts";
import { makeTestBucket, s3TestOptions } from "../../helpers/stores/s3-store.ts";
import { describeUnless } from "../../servers/given.ts";
import { describeWithPostgres } from "../../servers/given-postgres.ts";
import { describeWithRedis } from "../../servers/given-redis.ts";
import { describeWithS3 } from "../../servers/given-s3.ts";
import { dyingAt, type Killing, killAtEach, runBuilt } from "./killed.ts";

const FIXTURE = fileURLToPath(new URL("../../fixtures/alchemy/shop", import.meta.url));
const FILES = { "out/index.html": "<h1>", "out/inner.txt": "x", "out/conf": "1" };

let project: Project;
let env: Readonly<Record<string, string>>;
beforeEach(async () => {
  project = await projectWithPeers(FILES);
  env = {
    ENGINE_IMPORT_PASSPHRASE: "pw",
    ENGINE_PASSWORD: "correct horse",
    ENGINE_STAGE: "dev",
    NOTE_TOKEN: "tok-123",
    XDG_STATE_HOME: join(project.folder, "home"),
  };
  await cp(FIXTURE, join(project.folder, ".alchemy/shop"), { recursive: true });
});
afterEach(() => project.remove());

const IMPORT = ["import", ".alchemy"];
const run = (...args: readonly string[]) => runBuilt(project.folder, args, env);

/** After a kill, or after the end. */
async function canBeRepeated(where: string): Promise<void> {
  const listed = await run("state", "list", "--app", "shop", "--json", "--missing-ok");
  expect(listed, `${where}\n${listed.stderr}`).toMatchObject({ code: 0 });
  const { resources = [] } = JSON.parse(listed.stdout);
  expect([0, 6], where).toContain(resources.length);
  const again = await run(...IMPORT);
  expect(again, `${where}\n${again.stderr}`).toMatchObject({ code: 0 });
  if (resources.length === 6) expect(again.stdout, where).toContain("6 resources were recorded in");
  const plan = await run("plan", "--exit-code");
  expect(plan, `${where}\n${plan.stderr}`).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("nothing to do, 6 unchanged"),
  });
  for (const [name, content] of Object.entries(FILES))
    expect(await readFile(join(project.folder, name), "utf8"), where).toBe(content);
}

/** A stage of a program whose resources are deleted again. */
async function useStage(): Promise<void> {
  await writeFile(
    join(project.folder, "before.mjs"),
    `import { engine, Resource } from "scope-engine";
const Thing = Resource("import:Thing", { create: ({ props }) => props, update: ({ props }) => props, delete() {} });
const app = await engine("shop");
await Thing("a", { v: process.env.V, secret: engine.secret("hush") });
await app.finalize();
`,
  );
  for (const V of ["1", "2", "3"]) {
    expect(await runBuilt(project.folder, ["up", "before.mjs"], { ...env, V })).toMatchObject({ code: 0 });
  }
  expect(await run("destroy", "before.mjs", "--yes")).toMatchObject({ code: 0 });
}

/** The options of a store, which are new for each run. */
type Place = () => Readonly<Record<string, string>>;

/** Kills imports into a store at each of their changes, of files and on a server. */
function diesSafely(kills: Pick<Killing, "step"> & { readonly atLeast: number; readonly place?: Place }): void {
  const { step = 1, atLeast, place } = kills;

  test("killed at each change, in a new stage", async () => {
    const own = env;
    const changes = await killAtEach({
      folder: project.folder,
      env: () => (env = { ...own, ...place?.() }),
      args: IMPORT,
      step,
      isElsewhere: place !== undefined,
      check: canBeRepeated,
    });
    expect(changes).toBeGreaterThan(atLeast);
  }, 3_600_000);

  test("killed again and again in one stage", async () => {
    env = { ...env, ...place?.() };
    let [at, isKilled] = [1, true];
    // Each run reads more of what earlier ones have left, so the steps grow.
    for (; isKilled; at += Math.max(step, Math.floor(at / 8))) {
      const { code, stderr } = await runBuilt(project.folder, IMPORT, { ...env, ...dyingAt(at) });
      expect([null, 0], stderr).toContain(code);
      isKilled = code === null;
    }
    await canBeRepeated(`${at} kills`);
  }, 3_600_000);
}

describeUnless(lacksPackage, "engine import into a stage in files", () => {
  diesSafely({ step: 2, atLeast: 20 });

  test("killed at changes of files, in a stage that is empty again", async () => {
    await useStage();
    await killAtEach({ folder: project.folder, env: () => env, args: IMPORT, step: 3, check: canBeRepeated });
  }, 3_600_000);
});

describeWithRedis("engine import into a stage on Redis", (url) => {
  diesSafely({
    step: 2,
    atLeast: 10,
    place: () => ({ ENGINE_STATE: `${url}?prefix=import-${randomUUID()}:` }),
  });
});

describeWithPostgres("engine import into a stage on PostgreSQL", (url) => {
  diesSafely({
    step: 2,
    atLeast: 10,
    place: () => ({ ENGINE_STATE: `${url}?table=${tableOf(`import-${randomUUID()}`)}` }),
  });
});

describeWithS3("engine import into a stage in a bucket", ({ endpoint, region, accessKeyId, secretAccessKey }) => {
  beforeAll(() => makeTestBucket());
  const query = new URLSearchParams({ region, endpoint });
  diesSafely({
    step: 2,
    atLeast: 10,
    place: () => ({
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      ENGINE_STATE: `s3://${s3TestOptions().bucket}/import-${randomUUID()}?${query}`,
    }),
  });
});
