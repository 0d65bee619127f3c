/** Keys that ENGINE_PASSWORD_CACHE allows to keep: rarer cases, in real processes. */
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MINUTE } from "../../../core/base/index.js";
import { again, FILE, first, machine, none, STAGE, wrong } from "./kept-machine.ts";

test("a scope with its own password has its own kept key", async () => {
  const { run, names } = await machine();
  const env = { SCOPE_PASSWORD: "of the tenant" };
  await run(env);
  expect(await names()).toHaveLength(2);
  expect(await run(env)).toEqual({ ...again, derived: [FILE, FILE] });
});

test("six processes that keep a key at once leave one whole file", async () => {
  const { run, names } = await machine();
  await run({ ENGINE_PASSWORD_CACHE: "" });
  const told = await Promise.all(Array.from({ length: 6 }, () => run()));
  expect(told.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 6 }, () => "done"));
  expect(await names()).toEqual([expect.stringMatching(/^[0-9a-f]{40}\.json$/)]);
  expect(await run()).toEqual(again);
});

test.each([
  ["after its time", { SHIFT: String(16 * MINUTE) }],
  ["after a shorter time that the user sets now", { SHIFT: String(2 * MINUTE), ENGINE_PASSWORD_CACHE: "1m" }],
  ["if the clock was set back", { SHIFT: String(-MINUTE) }],
])("a kept key is replaced %s", async (_name, env) => {
  const { run, file } = await machine();
  await run();
  const text = await readFile(await file(), "utf8");
  expect(await run(env)).toEqual(first);
  expect(await readFile(await file(), "utf8")).not.toBe(text);
});

test("a kept key is not used without the variable, and then goes after its time", async () => {
  const { run, names } = await machine();
  await run();
  expect(await run({ ENGINE_PASSWORD_CACHE: "" })).toEqual(none);
  expect(await names()).toHaveLength(1);
  expect(await run({ ENGINE_PASSWORD_CACHE: "", SHIFT: String(16 * MINUTE) })).toEqual(none);
  expect(await names()).toEqual([]);
});

test.each([
  ["another password", "battery staple", { ENGINE_PASSWORD: "battery staple" }],
  ["another data key", "rekey", {}],
])("kept keys are removed with %s of the stage", async (_name, rotate, env) => {
  const { run, names } = await machine();
  await run();
  expect(await run({ ROTATE: rotate })).toMatchObject({ warnings: [] });
  expect(await names()).toEqual([]);
  expect((await run(env)).derived[0]).toBe(STAGE);
  if (rotate !== "rekey") expect(await run()).toMatchObject({ outcome: wrong });
  expect(await run(env)).toEqual(again);
});

test("a kept key opens a stage that was copied to another app no more than the password does", async () => {
  const { cwd, run } = await machine();
  await run();
  const named = (await readdir(join(cwd, "state"))).find((name) => name.startsWith("kept")) ?? "";
  await cp(join(cwd, "state", named), join(cwd, "state", named.replace("kept", "copied")), { recursive: true });
  const copied = { APP: "copied" };
  const warm = await run(copied);
  expect(warm.outcome).toMatchObject({ code: expect.any(String) });
  expect((await run({ ...copied, ENGINE_PASSWORD_CACHE: "0" })).outcome).toEqual(warm.outcome);
});

test.each(["", "somewhere", "/dev/null", "/proc/none", "file", "folder"])(
  "in the home folder %j no key can be kept, so each run derives it",
  async (name) => {
    const { cwd, run, names } = await machine();
    await run();
    await writeFile(join(cwd, "file"), "");
    // A folder has the name that the file would have.
    const blocked = join(cwd, "folder/.local/state/scope-engine/passwords", (await names())[0] ?? "", "in the way");
    await mkdir(blocked, { recursive: true });
    const HOME = ["file", "folder"].includes(name) ? join(cwd, name) : name;
    for (let at = 0; at < 2; at++) {
      const { outcome, derived } = await run({ HOME });
      expect([outcome, derived[0]]).toEqual(["done", STAGE]);
    }
    expect((await readdir(cwd)).sort()).toEqual(["file", "folder", "home", "state"]);
  },
);
