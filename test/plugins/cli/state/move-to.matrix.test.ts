/** `engine state move --to-stage` and `--to-app`, as processes that are killed at each write, and on every store. */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { fsStoreAt } from "../../../../adapters/fs/index.js";
import { memoryStore } from "../../../../adapters/memory/index.js";
import { isLong } from "../../../helpers/checks/sampling.js";
import { lacksPackage } from "../../../helpers/processes/engine-project.js";
import { type RemoteName, remoteStore } from "../../../helpers/stores/remote-stores.js";
import { makeTestBucket } from "../../../helpers/stores/s3-store.js";
import { describeUnless } from "../../../servers/given.js";
import { describeWithPostgres } from "../../../servers/given-postgres.js";
import { describeWithRedis } from "../../../servers/given-redis.js";
import { describeWithS3 } from "../../../servers/given-s3.js";
import { movesSafely } from "../../admin/moving.js";
import { type Shop, shop } from "./shop.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "move-to-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const sampled = isLong ? {} : { first: 2, step: 3 };
const remote = (name: RemoteName) => () => remoteStore(name, `move-to-${randomUUID()}`);
describe("memory without segments", () => movesSafely(() => memoryStore({ append: false })));
describe("files", () => movesSafely(() => fsStoreAt(join(folder, randomUUID())), isLong ? {} : { step: 2 }));
describeWithRedis("Redis", () => movesSafely(remote("redis"), sampled));
describeWithPostgres("PostgreSQL", () => movesSafely(remote("postgres"), sampled));
describeWithS3("a bucket", () => {
  beforeAll(() => makeTestBucket());
  movesSafely(remote("s3"), sampled);
});

describeUnless(lacksPackage, "engine state move --to-stage", () => {
  let project: Shop;
  afterEach(() => project.remove());
  const namesIn = async (stage: string): Promise<string> => {
    const { code, stdout, stderr } = await project.run("state", "list", "--stage", stage, "--json", "--missing-ok");
    if (code !== 0) return /\[(\w+)\]/.exec(stderr)?.[1] ?? stderr;
    const { resources = [] } = JSON.parse(stdout);
    return resources.map(({ fqn }: { fqn: string }) => fqn.replace(`shop/${stage}/`, "")).join();
  };
  const words = ["state", "move", "db", "web", "--to-stage", "next", "--yes"];

  it("leaves each record in one stage, or says which command finishes it, wherever its process is killed", async () => {
    const found = new Set<string>();
    for (let write = 1, isKilled = true; isKilled; write++) {
      project = await shop("fs", true);
      isKilled = (await project.runWith({ DIE_AFTER: String(write) }, ...words)).code === null;
      const [old, next] = [await namesIn("tester"), await namesIn("next")];
      found.add(`${old} ${next}`);
      if (old === "STATE_INCOMPLETE" || next === "STATE_INCOMPLETE") {
        const { stderr } = await project.run(
          "state",
          "list",
          "--stage",
          next === "STATE_INCOMPLETE" ? "next" : "tester",
        );
        expect(stderr).toContain("engine state move db web --app shop --stage tester --to-stage next");
      }
      const again = await project.run(...words);
      if (old !== "") expect(again, `write ${write}`).toMatchObject({ code: 0 });
      expect([await namesIn("tester"), await namesIn("next")], `write ${write}`).toEqual(["", "db,web/logo,web/page"]);
      if (isKilled) await project.remove();
    }
    expect([...found].sort()).toEqual([
      " db,web/logo,web/page",
      "STATE_INCOMPLETE STATE_INCOMPLETE",
      "STATE_INCOMPLETE db,web/logo,web/page",
      "db,web/logo,web/page ",
      "db,web/logo,web/page STATE_INCOMPLETE",
    ]);
  }, 300_000);

  it("plans, asks, renames stages and apps, and the program of the target finds everything unchanged", async () => {
    project = await shop("fs", true);
    const plan = await project.run("state", "move", "web", "--to-stage", "next", "--plan");
    expect(plan).toMatchObject({ code: 0, stderr: expect.stringContaining("Nothing was moved: this is a plan.") });
    expect(plan.stdout).toContain("shop/tester/web/page  (shop:Thing)  to shop/next/web/page");
    expect(plan.stdout).toContain("stays, although a moved resource refers to it: shop/tester/db");
    const asked = await project.run("state", "move", "web", "--to-stage", "next");
    expect(asked).toMatchObject({ code: 1, stderr: expect.stringContaining("[NOT_CONFIRMED]") });
    const bare = await project.run("state", "move", "web", "--yes");
    expect(bare).toMatchObject({ code: 1, stderr: expect.stringContaining("--to-stage") });
    const json = await project.json("state", "move", "--all", "--to-stage", "next", "--yes");
    expect(json).toMatchObject({ from: "shop/tester", to: "shop/next", isNew: true, planned: false });
    const up = await project.run("up", "--stage", "next");
    expect(up).toMatchObject({ code: 0, stdout: expect.stringContaining("3 unchanged") });
    const away = await project.runWith(
      { ENGINE_TO_PASSWORD: "other" },
      "state",
      "move",
      "--all",
      "--to-app",
      "store",
      "--stage",
      "next",
      "--yes",
    );
    expect(away).toMatchObject({ code: 0 });
    const shown = ["state", "show", "db", "--app", "store", "--stage", "next", "--show-secrets", "--json"];
    expect((await project.run(...shown)).stderr).toContain("[WRONG_PASSWORD]");
    const opened = await project.runWith({ ENGINE_PASSWORD: "other" }, ...shown);
    expect(JSON.parse(opened.stdout)).toMatchObject({ resources: [{ props: { key: "hush-hush" } }] });
  }, 120_000);
});
