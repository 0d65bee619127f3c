import { describe, expect, it } from "vitest";
import type { Scope } from "../../../core/contract/index.js";
import type { Run } from "../../../core/run/index.js";
import { claimId, plainName } from "../../../plugins/processes/process-paths.js";
import { testApps } from "../../helpers/apps/apps.ts";

const { open } = testApps();

describe("the files of a process", () => {
  it.each([
    ["con", "%_con"],
    ["NUL", "%_NUL"],
    ["aux.1", "%_aux.1"],
    ["com1", "%_com1"],
    ["v1.", "v1%2E"],
    ["web.log", "web%2Elog"],
    ["console", "console"],
    ["web", "web"],
  ])("are called by %j so on Windows that they can be made: %j", (name, plain) => {
    expect(plainName(name, "win32")).toBe(plain);
  });

  it("are called elsewhere as they always were, so that what runs is found", () => {
    for (const name of ["con", "v1.", "NUL"]) expect(plainName(name, "darwin")).toBe(name);
  });
});

describe("two ids that differ only in upper and lower case", () => {
  const claims = async (platform: NodeJS.Platform): Promise<(id: string, scope?: Scope) => void> => {
    const app = await open();
    const run: Run = Object({});
    return (id, scope = app) => claimId({ run }, scope, id, "spawn", platform);
  };

  it.each(["darwin", "win32"] as const)(
    "are refused where they would share a log and a record: %s",
    async (platform) => {
      const claim = await claims(platform);
      for (const id of ["web", "web", "api"]) claim(id);
      const refusal = expect.objectContaining({
        code: "DUPLICATE_ID",
        message: expect.stringContaining('differs from "web" only in upper and lower case'),
      });
      expect(() => claim("Web")).toThrow(refusal);
    },
  );

  it("are two processes elsewhere", async () => {
    const claim = await claims("linux");
    for (const id of ["web", "Web"]) expect(() => claim(id)).not.toThrow();
  });
});
