/** Two people deploy from two machines: processes of their own, on a store that both reach. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { hostname, tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Ended, type RunningProgram, startProgram } from "../helpers/processes/child-program.ts";
import type { RemoteName } from "../helpers/stores/remote-stores.ts";
import { makeTestBucket } from "../helpers/stores/s3-store.ts";
import { testServers } from "../helpers/stores/test-servers.ts";
import { describeWithRedis } from "../servers/given-redis.ts";
import { describeWithS3 } from "../servers/given-s3.ts";

const patient = { timeout: 120_000 };

function team(name: RemoteName): void {
  let cwd = "";
  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), "team-"));
  });
  afterEach(() => rm(cwd, { recursive: true }));

  const start = (...more: readonly string[]): RunningProgram =>
    startProgram("team", {
      cwd,
      args: [name, `team/${process.pid}/${cwd.slice(-6)}`, ...more],
      env: testServers(process.env),
    });
  const run = (...more: readonly string[]): Promise<Ended> => start(...more).ended;
  const release = (): Promise<void> => writeFile(join(cwd, "released"), "");

  it("the second one fails at once, with the owner of the stage and the time since when", patient, async () => {
    const holder = start("holder");
    await holder.printed("creating holder");
    const { code, stdout, stderr } = await run("second");
    await release();
    expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
    expect(stderr).toContain("[STATE_LOCKED]");
    for (const part of [userInfo().username, hostname(), String(holder.process.pid), since()]) {
      expect(stderr).toContain(part);
    }
    expect(await holder.ended).toMatchObject({ code: 0, stderr: "" });
  });

  it(
    "the second one waits as long as it is asked to, says for whom, and goes on when the first ends",
    patient,
    async () => {
      const holder = start("holder");
      await holder.printed("creating holder");
      const second = start("second", "--lock-timeout", "30s");
      await second.printed("waiting");
      await release();
      expect(await holder.ended).toMatchObject({ code: 0, stderr: "" });
      const { code, stdout, stderr } = await second.ended;
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("creating second") });
      expect(stderr).toMatch(new RegExp(`^waiting .*${userInfo().username}@${hostname()}.*${holder.process.pid}`));
    },
  );

  it("a process ends by itself when it has finalized", patient, async () => {
    for (const _ of ["changed", "unchanged"]) {
      const { code, stdout } = await run("common");
      expect(code).toBe(0);
      expect(stdout).toContain("kept alive by []");
    }
  });
}

/** The day; the second run may fall on the next one. */
function since(): string {
  return new Date().toISOString().slice(0, 10);
}

describe("two deployments at once", () => {
  describeWithS3("on S3", () => {
    beforeAll(() => makeTestBucket());
    team("s3");
  });
  describeWithRedis("on Redis", () => team("redis"));
});
