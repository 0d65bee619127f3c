import { afterAll, beforeAll, expect, it } from "vitest";
import { lacksPackage } from "../../../helpers/processes/engine-project.js";
import { makeTestBucket } from "../../../helpers/stores/s3-store.js";
import { type Shop, type StoreName, shop } from "./shop.js";

/** Runs each state command, one after the other, on this store. */
export function everyCommand(store: StoreName): void {
  let project: Shop;
  beforeAll(async () => {
    if (store === "s3") await makeTestBucket();
    project = await shop(store);
  });
  afterAll(() => project.remove());

  it.skipIf(lacksPackage)(
    "works on it",
    async () => {
      expect(await project.recorded()).toEqual(["db", "web/logo", "web/page"]);
      expect(await project.json("state", "show", "db", "--show-secrets")).toMatchObject({
        resources: [{ props: { key: "hush-hush" } }],
      });
      expect(await project.json("state", "tree")).toMatchObject({ tree: { fqn: "shop/tester" } });
      expect(await project.json("state", "stages")).toMatchObject({
        stages: expect.arrayContaining([expect.objectContaining({ app: "shop", stage: "tester", resources: 3 })]),
      });
      expect(await project.json("state", "unlock")).toMatchObject({ unlocked: null });
      expect(await project.json("state", "pull", "--out", "old.json")).toMatchObject({ file: "old.json" });
      const { present } = await project.json("state", "history");
      const seq = String(Reflect.get(Object(present), "seq"));
      await project.json("state", "move", "web", "site", "--yes");
      expect(await project.recorded()).toEqual(["db", "site/logo", "site/page"]);
      await project.json("state", "forget", "logo", "--yes");
      expect(await project.recorded()).toEqual(["db", "site/page"]);
      await project.json("state", "restore", seq, "--yes");
      expect(await project.recorded()).toEqual(["db", "web/logo", "web/page"]);
      await project.json("state", "forget", "logo", "--yes");
      await project.json("state", "push", "old.json", "--yes", "--force");
      expect(await project.recorded()).toEqual(["db", "web/logo", "web/page"]);
      expect(await project.json("state", "recover")).toMatchObject({ recorded: [], left: [] });
      const rotated = await project.runWith({ ENGINE_NEW_PASSWORD: "new" }, "secrets", "rotate", "--json");
      expect(rotated).toMatchObject({ code: 0, stdout: expect.stringContaining('"rotated":true') });
      const renewed = await project.runWith({ ENGINE_PASSWORD: "new" }, "secrets", "rotate", "--rekey", "--json");
      expect(JSON.parse(renewed.stdout)).toMatchObject({ rekeyed: expect.any(Number) });
      const verified = await project.runWith({ ENGINE_PASSWORD: "new" }, "state", "verify", "--json");
      expect(JSON.parse(verified.stdout)).toMatchObject({ findings: [], resources: 3 });
      expect((await project.run("state", "verify")).stderr).toContain("[WRONG_PASSWORD]");
      const again = await project.runWith({ ENGINE_PASSWORD: "new" }, "up");
      expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining("3 unchanged") });
    },
    120_000,
  );
}
