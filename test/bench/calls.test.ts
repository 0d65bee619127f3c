import { describe, expect, it } from "vitest";
import { callsOf, checkCalls, OtherWork } from "./calls.js";
import { HOWS, OPERATIONS, type StageWork } from "./rows.js";
import { callsIn } from "./tofu.js";

const work: StageWork = {
  kind: "stage",
  operation: "create",
  how: "seq",
  n: 25,
  store: "fs",
  delay: 0,
  secrets: false,
};

describe("the calls of handlers", () => {
  it("are what the work asks for", () => {
    const calls = OPERATIONS.map((operation) => Object.values(callsOf({ ...work, operation })).join());
    expect(calls).toEqual(["25,0,0", "0,25,0", "0,0,0", "25,25,25", "0,0,25"]);
  });

  it("replace children, and not their parents", () => {
    const calls = HOWS.map((how) => callsOf({ ...work, how, operation: "replace" }).delete);
    expect(calls).toEqual([25, 25, 22, 25]);
  });

  it("show that a side did something else", () => {
    const done = { create: 25, update: 0, delete: 0 };
    expect(() => checkCalls(done, callsOf(work))).not.toThrow();
    expect(() => checkCalls({ ...done, delete: 1 }, callsOf(work))).toThrow(OtherWork);
    expect(() => checkCalls({ ...done, create: 24 }, callsOf(work))).toThrow("24 of 25 creates");
  });

  it("are read from what OpenTofu says", () => {
    const lines = ["...", "Apply complete! Resources: 25 added, 1 changed, 3 destroyed.", ""];
    expect(callsIn(lines)).toEqual({ create: 25, update: 1, delete: 3 });
    expect(() => callsIn(["Error: no"])).toThrow("Error: no");
  });
});
