import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeTestBucket } from "../../../helpers/s3-store.js";
import { describeWithRedis } from "../../../servers/given-redis.js";
import { describeWithS3 } from "../../../servers/given-s3.js";
import { redisUrlIn, s3SettingsIn } from "../../../servers/variables.js";
import { type Shop, type StoreName, shop } from "./shop.js";

/** From files to a server, and from there to files again. */
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
      const program = await project.read("engine.run.mjs");
      await project.write("engine.run.mjs", program.replace("fsStore()", 'fsStore({ root: "back" })'));
      expect(await tell("fs", "up")).toContain("3 unchanged");
      expect(JSON.parse(await tell("fs", "state", "verify", "--json"))).toMatchObject({ findings: [], resources: 3 });
    }, 120_000);
  });
}

describeWithS3("with a bucket", () => {
  thereAndBack("s3", (prefix) => {
    const endpoint = encodeURIComponent(s3SettingsIn(process.env)?.endpoint ?? "");
    return `s3://scope-engine-tests/${prefix}?endpoint=${endpoint}`;
  });
});

describeWithRedis("with Redis", () => {
  thereAndBack("redis", (prefix) => `${redisUrlIn(process.env)}?prefix=${prefix}:`);
});
