import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { processes } from "../../../plugins/processes/index.js";
import { testApps } from "../../helpers/apps/apps.ts";
import { roots } from "../../helpers/processes/processes.ts";

const newRoot = roots();
const { open } = testApps({ plugins: [processes()] });

it("the log of exec does not grow without bound", async () => {
  const rootDir = await newRoot();
  const app = await open({ rootDir });
  await app.exec("x", "yes 0123456789 | head -c 60000000; echo end");
  const path = join(rootDir, ".engine/logs/shop/dev/x.log");
  const sizes = await Promise.all([path, `${path}.1`].map(async (one) => (await stat(one)).size));
  expect(Math.max(...sizes)).toBeLessThan(9 * 1024 * 1024);
  expect((await readFile(path, "utf8")).endsWith("end\n[exit code 0]\n")).toBe(true);
});
