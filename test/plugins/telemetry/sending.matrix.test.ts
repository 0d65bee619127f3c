import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { newUser, type User } from "./told.ts";

let user: User;
beforeEach(async () => {
  user = await newUser();
});
afterEach(() => user.leave());

const names = (): string[] => user.server.events.map(({ event }) => event);
const last = (): Readonly<Record<string, unknown>> => user.server.events.at(-1)?.properties ?? {};

describe("telemetry of a run", () => {
  it("comes in one batch at its end, of an anonymous user", async () => {
    const { code, stderr } = await user.run();
    expect({ code, asked: user.server.paths }).toEqual({ code: 0, asked: ["/batch/"] });
    expect(names()).toEqual(["run started", "run finished"]);
    const [first, second] = user.server.events;
    expect(first?.properties).toMatchObject({
      phase: "up",
      store: "fs",
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      runtime: "node",
      runtimeVersion: process.versions.node,
      os: process.platform,
      ci: false,
      $process_person_profile: false,
      $geoip_disable: true,
    });
    expect(second?.properties).toMatchObject({
      outcome: "done",
      created: 2,
      failed: 0,
      kinds: { other: 1, "random:String": 1 },
      errors: [],
      duration: expect.any(Number),
    });
    expect(await user.file("telemetry-id")).toBe(`${first?.distinct_id}\n`);
    expect(second?.distinct_id).toBe(first?.distinct_id);
    expect(new Set(user.server.events.map(({ uuid }) => uuid)).size).toBe(2);
    expect(stderr).toContain("anonymous statistics");
    expect(await user.file("telemetry-spool.json")).toBeUndefined();
  });

  it("is said to the user once, also where two runs begin at once", async () => {
    const [one, other] = await Promise.all([user.run(["memory"]), user.run(["memory"])]);
    const later = await user.run(["memory"]);
    expect(`${one.stderr}${other.stderr}`.match(/This message is shown once/g)).toHaveLength(1);
    expect(later.stderr).toBe("");
    expect(new Set(user.server.events.map(({ distinct_id }) => distinct_id)).size).toBe(1);
    expect(user.server.events).toHaveLength(6);
  });

  it("is said on standard error also where the run is quiet or prints events", async () => {
    const { stdout, stderr } = await user.run(["memory", "--quiet", "--json"]);
    expect(stderr).toContain("This message is shown once");
    for (const line of stdout.split("\n")) expect(JSON.parse(line)).toHaveProperty("type");
  });

  it.each([
    [["fails"], { outcome: "failed", failed: 1, errors: expect.arrayContaining(["HANDLER_FAILED"]) }],
    [["memory"], { outcome: "done", store: "memory" }],
    [["up", "--plan"], { outcome: "done", phase: "plan", created: 0 }],
    [["embedded"], { outcome: "done", created: 2 }],
  ])("says how %j ended", async (args, expected) => {
    await user.run(args);
    expect(last()).toMatchObject({ errors: [], ...expected });
  });

  it("comes from a destroy of the command line, which ends the process", async () => {
    await user.run();
    expect((await user.run(["up", "--destroy"])).code).toBe(0);
    await user.run();
    const phases = user.server.events.map(({ properties }) => properties.phase);
    expect(phases.filter((phase) => phase === "destroy")).toHaveLength(2);
    const destroyed = user.server.events.filter(({ properties }) => properties.phase === "destroy").at(-1);
    expect(destroyed?.properties).toMatchObject({ outcome: "done", deleted: 2 });
  });

  it("comes from a run that is interrupted", async () => {
    const program = user.start(["waits"]);
    await program.printed("at work");
    // The client is loaded during the run; a run that must end at once keeps the event for the next one.
    program.process.kill("SIGINT");
    expect((await program.ended).code).toBe(130);
    await user.run(["memory"]);
    const outcomes = user.server.events.map(({ properties }) => properties.outcome);
    expect(outcomes.filter((outcome) => outcome === "interrupted")).toHaveLength(1);
  });

  it("comes from an engine() that fails", async () => {
    const { code, stderr } = await user.run(["up", "--plan=nowhere.json"]);
    expect(code).toBe(1);
    expect(stderr).toContain("nowhere.json");
    await user.run(["memory"]);
    const failed = user.server.events.find(({ properties }) => properties.outcome === "failed");
    expect(failed?.properties).toMatchObject({ errors: [expect.stringMatching(/^[A-Z_]+$/)], created: 0 });
  });
});

describe("nothing is sent, kept or printed", () => {
  it.each([
    ["DO_NOT_TRACK", { DO_NOT_TRACK: "1" }],
    ["no key", { ENGINE_TELEMETRY_KEY: "" }],
    ["no place for an id", { XDG_CONFIG_HOME: "", HOME: "" }],
    ["a host that is no address", { ENGINE_TELEMETRY_HOST: "nowhere" }],
  ])("with %s", async (_what, env) => {
    const { code, stderr } = await user.run(["memory"], env);
    expect({ code, asked: user.server.bodies.length }).toEqual({ code: 0, asked: 0 });
    if (!("ENGINE_TELEMETRY_HOST" in env)) {
      expect(stderr).toBe("");
      expect(await user.file("telemetry-id")).toBeUndefined();
    }
  });

  it("in a folder that cannot be written to", async () => {
    // A file in place of the folder keeps out even root.
    const { code, stderr } = await user.run(["memory"], { XDG_CONFIG_HOME: "/dev/null" });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(user.server.bodies).toEqual([]);
  });

  it("where ENGINE_TELEMETRY_DEBUG shows what would be", async () => {
    const { stderr } = await user.run(["memory"], { ENGINE_TELEMETRY_DEBUG: "1" });
    const shown = stderr.split("\n").map((line) => JSON.parse(line.replace(/^telemetry: /, "")));
    expect(shown.map(({ name }) => name)).toEqual(["run started", "run finished"]);
    expect(shown[1]?.properties).toMatchObject({ outcome: "done", created: 2 });
    expect({ asked: user.server.bodies.length, id: await user.file("telemetry-id") }).toEqual({
      asked: 0,
      id: undefined,
    });
  });
});
