import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { lacksPackage } from "../../../helpers/processes/engine-project.js";
import { describeUnless } from "../../../servers/given.js";
import { shop } from "./shop.js";

describeUnless(lacksPackage, "without a program", () => {
  it("the app whose state is in files here is named by --app", async () => {
    const project = await shop();
    await rm(join(project.folder, "engine.run.mjs"));
    expect((await project.run("state", "list")).stderr).toContain("--app");
    expect(await project.json("state", "list", "--app", "shop")).toMatchObject({
      resources: [{ fqn: "shop/tester/db" }, {}, {}],
    });
    await project.remove();
  });
});
