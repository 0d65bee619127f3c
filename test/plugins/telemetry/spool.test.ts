import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { configFolder } from "../../../core/base/index.js";
import { anonymousId, writePreference } from "../../../plugins/telemetry/anonymous-id.js";
import { type Batch, keepInSpool, MOST_BATCHES, takeFromSpool } from "../../../plugins/telemetry/spool.js";

let folder = "";
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "scope-engine-spool-")), "config");
});
afterEach(() => rmSync(join(folder, ".."), { recursive: true, force: true }));

const file = (): string => join(folder, "telemetry-spool.json");
const batch = (uuid: string, to = "here", text = ""): Batch => ({
  to,
  events: [{ name: "run started", uuid, timestamp: "2026-01-01T00:00:00.000Z", userId: "u", properties: { text } }],
});
const uuids = (batches: readonly Batch[]): string[] => batches.flatMap(({ events }) => events.map(({ uuid }) => uuid));

describe("the spool", () => {
  it("gives back what was put into it, once and in order, to whom it is for", () => {
    keepInSpool(folder, [batch("a"), batch("b", "there")]);
    keepInSpool(folder, [batch("c")]);
    expect(uuids(takeFromSpool(folder, "here"))).toEqual(["a", "c"]);
    expect(takeFromSpool(folder, "here")).toEqual([]);
    expect(uuids(takeFromSpool(folder, "there"))).toEqual(["b"]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("is gone with the random number of the user once that one wants no telemetry", () => {
    const env = { XDG_CONFIG_HOME: join(folder, ".."), HOME: folder };
    const own = configFolder(env) ?? "";
    keepInSpool(own, [batch("a")]);
    const id = anonymousId(own, () => {});
    expect(readdirSync(own).sort()).toEqual(["telemetry-id", "telemetry-spool.json"]);
    writePreference(env, false);
    expect(readdirSync(own)).toEqual(["telemetry.json"]);
    writePreference(env, true);
    expect(anonymousId(own, () => {})).not.toBe(id);
  });

  it("cannot be read by other users", () => {
    keepInSpool(folder, [batch("a")]);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
  });

  it("keeps the newest batches, by number and by size", () => {
    const many = Array.from({ length: 30 }, (_, index) => batch(`${index}`));
    for (const one of many) keepInSpool(folder, [one]);
    expect(uuids(takeFromSpool(folder, "here"))).toEqual(uuids(many.slice(-MOST_BATCHES)));
    const large = Array.from({ length: 10 }, (_, index) => batch(`${index}`, "here", "x".repeat(20_000)));
    keepInSpool(folder, large);
    expect(statSync(file()).size).toBeLessThanOrEqual(64 * 1024);
    expect(uuids(takeFromSpool(folder, "here"))).toEqual(["7", "8", "9"]);
  });

  it.each([
    ["cut off", '{"version":1,"batches":[{"to":'],
    ["another version's", '{"version":2,"batches":[{"to":"here","events":[]}]}'],
    ["no spool at all", "null"],
    ["somebody's own", '{"version":1,"batches":[{"to":"here","events":[{"name":"hello"}]}]}'],
    ["too large", `{"version":1,"batches":[],"x":"${"x".repeat(70_000)}"}`],
  ])("is dropped where it is %s, and used from then on", (_what, text) => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file(), text);
    expect(takeFromSpool(folder, "here")).toEqual([]);
    keepInSpool(folder, [batch("a")]);
    expect(JSON.parse(readFileSync(file(), "utf8")).batches).toHaveLength(1);
  });

  it("keeps nothing in a folder that is none, without an error", () => {
    writeFileSync(join(folder, "../config"), "a file");
    keepInSpool(folder, [batch("a")]);
    expect(takeFromSpool(folder, "here")).toEqual([]);
  });
});
