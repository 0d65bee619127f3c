import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { cacheFolder, configFolder, type Environment, machineFolder } from "../../../core/base/index.js";

const home = resolve("home");
const given = resolve("given");

function folders(env: Environment): readonly (string | undefined)[] {
  return [configFolder(env), cacheFolder(env), machineFolder(env)];
}

it.runIf(process.platform !== "win32")("a user's folders are in the home folder, each at its place", () => {
  expect(folders({ HOME: home })).toEqual(
    [[".config"], [".cache"], [".local", "state"]].map((path) => join(home, ...path, "scope-engine")),
  );
});

it.each(["XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"])("%s gives the place of one of them alone", (name) => {
  const before = folders({ HOME: home });
  const after = folders({ HOME: home, [name]: given });
  expect(after.filter((folder, index) => folder !== before[index])).toEqual([join(given, "scope-engine")]);
  // The specification of these variables ignores relative paths.
  expect(folders({ HOME: home, [name]: "given" })).toEqual(before);
});

it("without a home folder there are none", () => {
  expect(folders({})).toEqual([undefined, undefined, undefined]);
  expect(folders({ HOME: "" })).toEqual([undefined, undefined, undefined]);
  // It would be another folder in each working directory.
  expect(folders({ HOME: "home", USERPROFILE: "home" })).toEqual([undefined, undefined, undefined]);
});
