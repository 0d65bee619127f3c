import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Mood } from "../../helpers/processes/capture-server.ts";
import { newUser, type User } from "./told.ts";

let user: User;
beforeEach(async () => {
  user = await newUser();
});
afterEach(() => user.leave());

/** Batches that wait for a later run. */
async function waiting(): Promise<readonly { readonly events: readonly { readonly uuid: string }[] }[]> {
  return JSON.parse((await user.file("telemetry-spool.json")) ?? '{"batches":[]}').batches;
}

describe("a run whose figures no server takes", () => {
  it.each<[Mood, number]>([
    ["silent", 1],
    [{ after: 60_000 }, 1],
    ["reset", 1],
    [500, 1],
    [429, 1],
    // Refused for good: a retry would be refused as well.
    [400, 0],
    [413, 0],
    // Accepted, whatever the rest of the answer is.
    ["bad JSON", 0],
    ["drips", 0],
  ])("says nothing of it, and keeps what another run may send: %j", async (mood, batches) => {
    user.server.mood = mood;
    const { code, stdout, stderr } = await user.run(["memory"]);
    expect({ code, said: stderr.split("\n").length, kept: (await waiting()).length }).toEqual({
      code: 0,
      said: 1,
      kept: batches,
    });
    expect(stdout.split("\n")).toHaveLength(3);
    expect(user.server.bodies.length).toBeGreaterThan(0);
  });

  it.each([
    ["of a server that never answers", undefined],
    ["of an address that leads nowhere", "http://10.255.255.1"],
  ])("ends without its answer: %s", async (_what, host) => {
    user.server.mood = "silent";
    const env = { ENGINE_TELEMETRY_HOST: host ?? user.server.url, PATIENT: "" };
    await user.run(["memory"], env);
    expect(await user.run(["memory"], env)).toMatchObject({ code: 0, stderr: "" });
  });
});

describe("what could not be sent", () => {
  it("goes along with the next run, once", async () => {
    user.server.mood = 500;
    await user.run(["memory"]);
    const [kept] = await waiting();
    user.server.mood = "ok";
    await user.run(["memory"]);
    const uuids = user.server.events.map(({ uuid }) => uuid);
    expect(uuids).toHaveLength(4);
    // In a separate request.
    expect(uuids).toEqual(expect.arrayContaining(kept?.events.map(({ uuid }) => uuid) ?? ["none"]));
    expect(await waiting()).toEqual([]);
    await user.run(["memory"]);
    expect(user.server.events).toHaveLength(6);
  });

  it("waits for a run that reports to the same project", async () => {
    user.server.mood = 500;
    await user.run(["memory"]);
    user.server.mood = "ok";
    await user.run(["memory"], { ENGINE_TELEMETRY_KEY: "phc_other" });
    expect(user.server.events).toHaveLength(2);
    expect(await waiting()).toHaveLength(1);
  });

  it("is sent by one of two runs that begin at once", async () => {
    user.server.mood = 500;
    await user.run(["memory"]);
    user.server.mood = "ok";
    await Promise.all([user.run(["memory"]), user.run(["memory"])]);
    expect(user.server.events).toHaveLength(6);
    expect(new Set(user.server.events.map(({ uuid }) => uuid)).size).toBe(6);
  });
});
