/** Commands for a sealed state, with and without its password. */
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { lacksPackage } from "../../../helpers/processes/engine-project.js";
import { describeUnless } from "../../../servers/given.js";
import { type Shop, shop } from "./shop.js";

let project: Shop;
beforeEach(async () => {
  project = await shop();
});
afterEach(() => project.remove());

const KEYLESS = { ENGINE_PASSWORD: "" };

describeUnless(lacksPackage, "engine state seal", () => {
  it("asks, and seals what was made without a password", async () => {
    await rm(join(project.folder, ".engine"), { recursive: true });
    const plain = (await project.read("engine.run.mjs")).replaceAll(/engine\.secret\(("[^"]*")\)/g, "$1");
    await project.write("engine.run.mjs", plain);
    expect((await project.runWith(KEYLESS, "up")).code).toBe(0);
    expect((await project.run("up")).stderr).toMatch(/engine state seal.*\[STATE_FORGED\]/);
    expect((await project.run("state", "seal")).stderr).toContain("[NOT_CONFIRMED]");
    expect(await project.json("state", "seal", "--yes")).toEqual({ app: "shop", stage: "tester", sealed: true });
    expect(await project.json("state", "seal", "--yes")).toMatchObject({ sealed: false });
    expect((await project.run("up")).stdout).toContain("3 unchanged");
    expect(await readdir(join(project.folder, ".engine/shop/tester/checkpoint"))).not.toEqual([]);
  });
});
