/** The store goes down in the middle of a run, and comes back for the next one. */
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { type FaultyProxy, startProxy } from "../faults/proxy/proxy.ts";
import { type RunningProgram, startProgram } from "../helpers/processes/child-program.ts";
import { PROTOCOL_OF, type RemoteName, serverUrl } from "../helpers/stores/remote-stores.ts";
import { testServers } from "../helpers/stores/test-servers.ts";

export function goesDown(name: RemoteName): void {
  let cwd = "";
  let proxy: FaultyProxy;
  beforeAll(async () => {
    proxy = await startProxy({ target: serverUrl(name), protocol: PROTOCOL_OF[name] });
  });
  afterAll(() => proxy.close());
  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), "store-down-"));
  });
  afterEach(async () => {
    await proxy.up();
    await rm(cwd, { recursive: true });
  });

  const start = (role: string, isImpatient = true): RunningProgram => {
    const env = { ...testServers(process.env), TEAM_URL: proxy.url, TEAM_IMPATIENT: isImpatient ? "1" : "0" };
    return startProgram("team", { cwd, args: [name, `down/${process.pid}/${cwd.slice(-6)}`, role], env });
  };
  const recoveryFiles = async (): Promise<string[]> =>
    (await readdir(cwd)).filter((file) => file.startsWith("engine-recovery"));

  it("unrecorded results are in a file, and the next run records them", async () => {
    const holder = start("holder");
    await holder.printed("creating holder");
    await proxy.down();
    await writeFile(join(cwd, "released"), "");
    const { code, stderr } = await holder.ended;
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^error {4}Could not create .*ECONNREFUSED.*\[STORE_FAILED\]$/m),
    });
    expect(await recoveryFiles()).toEqual([expect.stringMatching(/^engine-recovery\.team\.dev\..*\.json$/)]);

    await proxy.up();
    const next = await start("holder", false).ended;
    expect(next).toMatchObject({ code: 0, stderr: expect.stringContaining("RECOVERED") });
    expect(next.stdout).not.toContain("creating");
    expect(await recoveryFiles()).toEqual([]);
  });

  it("nothing is begun if it is down from the start", async () => {
    await proxy.down();
    const { code, stdout, stderr } = await start("common").ended;
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("STORE_FAILED");
  });
}
