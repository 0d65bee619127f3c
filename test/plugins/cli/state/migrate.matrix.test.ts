import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { lacksPackage } from "../../../helpers/processes/engine-project.js";
import { makeTestBucket } from "../../../helpers/stores/s3-store.js";
import { describeUnless } from "../../../servers/given.js";
import { describeWithRedis } from "../../../servers/given-redis.js";
import { describeWithS3 } from "../../../servers/given-s3.js";
import { redisUrlIn, s3SettingsIn } from "../../../servers/variables.js";
import { type Shop, type StoreName, shop } from "./shop.js";
import { useRoot } from "./use-root.ts";

/** Moves from files to a server, and back to files. */
function thereAndBack(name: StoreName, addressOf: (prefix: string) => string): void {
  describe("engine state migrate", () => {
    let project: Shop;
    beforeAll(async () => {
      if (name === "s3") await makeTestBucket();
      project = await shop(name);
    });
    afterAll(() => project.remove());

    it("moves the state there and back, with secrets and history, and nothing has changed", async () => {
      const prefix = `moved-${randomUUID()}`;
      const s3 = s3SettingsIn(process.env);
      const at = (store: StoreName) => ({
        STORE: store,
        PREFIX: prefix,
        AWS_ACCESS_KEY_ID: s3?.accessKeyId ?? "",
        AWS_SECRET_ACCESS_KEY: s3?.secretAccessKey ?? "",
      });
      const tell = async (store: StoreName, ...args: string[]) => {
        const { code, stdout, stderr } = await project.runWith(at(store), ...args);
        expect(code, stderr).toBe(0);
        return stdout;
      };
      await tell("fs", "up");
      const history = JSON.parse(await tell("fs", "state", "history", "--json")).history;
      await tell("fs", "state", "migrate", "--to", addressOf(prefix), "--yes");
      expect(await project.runWith(at("fs"), "up")).toMatchObject({
        stderr: expect.stringContaining("[STATE_RETIRED]"),
      });
      expect(await tell(name, "up")).toContain("3 unchanged");
      expect(JSON.parse(await tell(name, "state", "history", "--json")).history).toEqual(history);
      expect(await tell(name, "state", "show", "db", "--show-secrets")).toContain("hush-hush");
      await tell(name, "state", "forget", "logo", "--yes");
      expect(await tell(name, "up")).toContain("1 created, 2 unchanged");
      expect(JSON.parse(await tell(name, "state", "verify", "--json"))).toMatchObject({ findings: [] });
      await tell(name, "state", "migrate", "--to", "back", "--yes");
      expect(await project.runWith(at(name), "up")).toMatchObject({
        stderr: expect.stringContaining("[STATE_RETIRED]"),
      });
      await useRoot(project, "back");
      expect(await tell("fs", "up")).toContain("3 unchanged");
      expect(JSON.parse(await tell("fs", "state", "verify", "--json"))).toMatchObject({ findings: [], resources: 3 });
    }, 120_000);
  });
}

describeUnless(lacksPackage, "engine state migrate, from files to files", () => {
  let project: Shop;
  beforeEach(async () => {
    project = await shop();
  });
  afterEach(() => project.remove());

  it("moves the state, after which the old store says where it went and the new one has nothing to do", async () => {
    const history = await project.json("state", "history");
    expect(await project.json("state", "migrate", "--to", "moved", "--yes")).toEqual({
      app: "shop",
      stage: "tester",
      from: expect.stringMatching(/\.engine$/),
      to: expect.stringMatching(/moved$/),
      resources: 3,
    });
    const old = await project.files();
    for (const args of [
      ["up"],
      ["plan"],
      ["state", "tree"],
      ["state", "forget", "logo", "--yes"],
      ["state", "unlock"],
    ]) {
      const refused = await project.run(...args);
      expect(refused, args.join(" ")).toMatchObject({ code: 1, stderr: expect.stringContaining("[STATE_RETIRED]") });
      expect(refused.stderr.replaceAll(/\s+/g, " ")).toMatch(/was moved to \S+moved by .*Pass the new store/);
    }
    expect(await project.json("state", "verify")).toMatchObject({
      findings: [],
      unused: expect.stringContaining("was moved to"),
    });
    expect((await project.run("state", "verify")).stderr).toContain("was moved to");
    expect(await project.files()).toEqual(old);
    await useRoot(project, "moved");
    expect((await project.run("up")).stdout).toContain("3 unchanged");
    expect(await project.json("state", "history")).toMatchObject({ history: history.history });
    expect(await project.json("state", "show", "db", "--show-secrets")).toMatchObject({
      resources: [{ props: { key: "hush-hush" } }],
    });
    expect(await project.json("state", "verify")).toMatchObject({ findings: [], unused: null });
  });

  it("is refused where it is, where something is, and where an address is none, and shows no password", async () => {
    await project.run("state", "migrate", "--to", "moved", "--yes");
    await project.write("moved/other/x", "");
    for (const [to, code] of [
      [".engine", "STATE_RETIRED"],
      ["elsewhere", "STATE_RETIRED"],
      ["s3://AKIA:hush@bucket", "INVALID_OPTION"],
    ]) {
      const refused = await project.run("state", "migrate", "--to", String(to), "--yes");
      expect(refused, to).toMatchObject({ code: 1, stderr: expect.stringContaining(`[${code}]`) });
      expect(refused.stderr + refused.stdout).not.toContain("hush");
    }
    await useRoot(project, "moved");
    const same = await project.run("state", "migrate", "--to", "./moved", "--yes");
    expect(same).toMatchObject({ code: 1, stderr: expect.stringContaining("[STATE_EXISTS]") });
    expect((await project.run("state", "migrate")).stderr).toContain("--to");
  });
});

describeWithS3("with a bucket", () => {
  thereAndBack("s3", (prefix) => {
    const endpoint = encodeURIComponent(s3SettingsIn(process.env)?.endpoint ?? "");
    return `s3://scope-engine-tests/${prefix}?endpoint=${endpoint}`;
  });
});

describeWithRedis("with Redis", () => {
  thereAndBack("redis", (prefix) => `${redisUrlIn(process.env)}?prefix=${prefix}:`);
});
