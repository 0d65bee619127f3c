import { join } from "node:path";
import { expect, it } from "vitest";
import { processes } from "../../../plugins/processes/index.js";
import { rejection, testApps } from "../../helpers/apps/apps.ts";
import { isAlive, pidIn, roots } from "../../helpers/processes/processes.ts";
import { ownTime } from "../../helpers/time/own-time.ts";

const newRoot = roots();
ownTime();
const { open } = testApps({ plugins: [processes()] });

it("scope.exec always resolves, however fast the command is, two hundred times", async () => {
  const app = await open({ rootDir: await newRoot() });
  for (let round = 0; round < 200; round += 10) {
    const ends = await Promise.all(Array.from({ length: 10 }, () => app.exec("x", ["true"])));
    for (const { exitCode } of ends) expect(exitCode).toBe(0);
  }
});

it("scope.exec keeps the end of what floods, which is more than a string can hold", async () => {
  const app = await open({ rootDir: await newRoot() });
  const { stdout, exitCode } = await app.exec("x", "yes 0123456789 | head -c 600000000; echo; echo end", {
    maxOutput: 50_000,
  });
  expect(exitCode).toBe(0);
  expect(stdout.length).toBeLessThanOrEqual(50_000);
  expect(stdout.startsWith("0123456789\n")).toBe(true);
  expect(stdout.endsWith("\nend\n")).toBe(true);
});

it("scope.exec rejects what takes too long, when nothing of it is left, not even a grandchild that hears no SIGTERM", async () => {
  const rootDir = await newRoot();
  const app = await open({ rootDir });
  // The grandchild has none of the pipes, so their end says nothing about it.
  const deaf = `sh -c 'trap "" TERM; echo $$ > pid; while :; do sleep 0.1; done' >/dev/null 2>&1 & echo there; wait`;
  const error = await rejection(app.exec("x", deaf, { timeout: 2_000 }));
  expect(error).toMatchObject({ code: "TIMEOUT", message: expect.stringMatching(/"shop\/dev\/x".*2000 ms/) });
  expect(isAlive(await pidIn(join(rootDir, "pid")))).toBe(false);
});
