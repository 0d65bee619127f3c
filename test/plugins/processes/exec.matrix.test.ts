import { expect, it } from "vitest";
import { processes } from "../../../plugins/processes/index.js";
import { testApps } from "../../helpers/apps.ts";
import { roots } from "../../helpers/processes.ts";

const newRoot = roots();
const { open } = testApps({ plugins: [processes()] });

it("scope.exec always resolves, however fast the command is, five hundred times", async () => {
  const app = await open({ rootDir: await newRoot() });
  for (let round = 0; round < 500; round += 10) {
    const ends = await Promise.all(Array.from({ length: 10 }, () => app.exec("x", ["true"])));
    for (const { exitCode } of ends) expect(exitCode).toBe(0);
  }
});
