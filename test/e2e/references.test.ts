import { describe, expect, it } from "vitest";
import { stateIn } from "../helpers/stores/state-in.ts";
import { offer, read } from "./offer-and-read.ts";
import { cwd, folderEach } from "./own-folder.ts";

const patient = { timeout: 120_000 };

folderEach("references");

describe("a program that refers to another one", () => {
  it("reads the offered pair, leaves no trace in its state, and ends by itself", patient, async () => {
    expect(await offer("1", "3")).toMatchObject({ code: 0, stderr: "" });
    const before = await stateIn(cwd, "network");
    const { code, stdout, stderr } = await read("1");
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "read 3 3", stderr: "" });
    expect(await stateIn(cwd, "network")).toEqual(before);
    expect((await stateIn(cwd, "reader")).recorded).toEqual([]);
  });

  it("fails if there is nothing, except for its own destroy, which continues", patient, async () => {
    const failing = await read("1");
    expect(failing.code).toBe(1);
    expect(failing.stderr).toContain("OUTPUTS_MISSING");
    expect(failing.stderr).toMatch(/"network\/dev" has no state in .*\.engine/);
    const { code, stdout } = await read("1", { PHASE: "destroy" });
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^read unknownx\w+ unknownx\w+$/) });
  });
});
