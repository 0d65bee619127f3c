/** Keys that ENGINE_PASSWORD_CACHE allows to keep from run to run. */
import { scryptSync } from "node:crypto";
import {
  chmod,
  copyFile,
  link,
  mkdir,
  readdir,
  readFile,
  rename,
  stat,
  symlink,
  truncate,
  unlink,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { HOUR, MINUTE, platform, setPlatform, timeOfDay } from "../../../core/base/index.js";
import { KeptKeys, keptKeysFor, readKept } from "../../../plugins/secrets/kept-keys.js";
import type { Scrypt } from "../../../plugins/secrets/password.js";
import { newFolder } from "../../helpers/processes/new-folder.ts";
import { again, FILE, first, machine, none, PASSWORD, STAGE, wrong } from "./kept-machine.ts";

afterEach(() => setPlatform());

describe("a run with ENGINE_PASSWORD_CACHE", () => {
  test("derives the key of the stage once, and later runs do not; none keeps it in plain text", async () => {
    const { cwd, run, file } = await machine();
    expect(await run()).toEqual(first);
    const text = await readFile(await file(), "utf8");
    expect(await run()).toEqual(again);
    expect(await readFile(await file(), "utf8")).toBe(text);
    expect((await stat(await file())).mode & 0o777).toBe(0o600);
    const [salt = ""] = await saltsIn(join(cwd, "state"));
    const key = scryptSync(PASSWORD, Buffer.from(salt, "base64"), 32, { N: STAGE, r: 8, p: 1, maxmem: 2 ** 26 });
    const forms = [PASSWORD, ...(["hex", "base64", "base64url", "latin1"] as const).map((form) => key.toString(form))];
    expect(salt).not.toBe("");
    for (const form of [...forms, salt, "dev", "token"]) expect(text).not.toContain(form);
  });

  test("refuses a wrong password as any run does, and keeps nothing of it", async () => {
    const { run, file, names } = await machine();
    await run();
    const text = await readFile(await file(), "utf8");
    const warm = await run({ ENGINE_PASSWORD: "wrong battery" });
    expect(warm).toEqual({ outcome: wrong, derived: [FILE, STAGE], warnings: [] });
    const { outcome } = await run({ ENGINE_PASSWORD: "wrong battery", ENGINE_PASSWORD_CACHE: "" });
    expect(warm.outcome).toEqual(outcome);
    expect([await names(), await readFile(await file(), "utf8")]).toEqual([[expect.any(String)], text]);
    expect(await run()).toEqual(again);
  });

  test("neither reads nor writes a key in CI; 0 removes all of them", async () => {
    const { run, names } = await machine();
    expect(await run({ CI: "true" })).toEqual(none);
    expect(await names()).toEqual([]);
    await run();
    expect(await run({ CI: "true" })).toEqual(none);
    expect(await names()).toHaveLength(1);
    await run({ ENGINE_PASSWORD_CACHE: "0", ENGINE_PASSWORD: "" });
    expect(await names()).toEqual([]);
  });

  test("reports a file that others can read, does not use it, and replaces it", async () => {
    const { run, file } = await machine();
    await run();
    await chmod(await file(), 0o644);
    const { warnings, ...rest } = await run();
    expect(rest).toEqual({ outcome: "done", derived: [STAGE, FILE] });
    expect(warnings).toEqual([expect.stringMatching(/^PASSWORD_CACHE .*by other users \(mode 644\)/)]);
    expect((await stat(await file())).mode & 0o777).toBe(0o600);
    expect(await run()).toEqual(again);
  });
});

const derivation: Scrypt = { name: "scrypt", n: 2 ** 17, r: 8, p: 1, salt: Buffer.alloc(16, 7).toString("base64") };
const key = Buffer.alloc(32, 5);

/** A folder with one kept key, as each process sees it. */
async function keptKey(lasts = HOUR) {
  const folder = await newFolder();
  const refused: string[] = [];
  const keys = (now = lasts): KeptKeys => new KeptKeys(folder, now, (_code, message) => refused.push(message));
  await keys().keep(PASSWORD, derivation, key);
  const [name = ""] = await readdir(folder);
  return { folder, path: join(folder, name), keys, refused, find: () => keys().find(PASSWORD, derivation) };
}

describe("a kept key", () => {
  test("is found for one password, one salt and one cost", async () => {
    const { keys, find } = await keptKey();
    const salt = Buffer.alloc(16, 8).toString("base64");
    expect(await keys().find(PASSWORD, { ...derivation, salt })).toBeUndefined();
    expect(await keys().find(PASSWORD, { ...derivation, n: 2 ** 16 })).toBeUndefined();
    expect(await keys().find(`${PASSWORD} `, derivation)).toBeUndefined();
    expect(await find()).toEqual(key);
  });

  test.each([
    ["after its time", HOUR, HOUR],
    ["after a shorter time that the user sets now", 2 * MINUTE, MINUTE],
    ["if the clock was set back", -MINUTE, HOUR],
  ])("is removed %s", async (_name, later, lasts) => {
    const { folder, keys } = await keptKey();
    const moment = new Date(Date.parse(timeOfDay()) + later).toISOString();
    setPlatform({ ...platform(), timeOfDay: () => moment });
    expect(await keys(lasts).find(PASSWORD, derivation)).toBeUndefined();
    expect(await readdir(folder)).toEqual([]);
  });

  test("does not last longer because its file says so", async () => {
    const { path, find } = await keptKey();
    await writeFile(path, JSON.stringify({ ...JSON.parse(await readFile(path, "utf8")), lasts: 2 * HOUR }));
    expect(await find()).toBeUndefined();
  });

  test("ends with a restart of the machine, and machines that share a home folder have their own", async () => {
    const inBoot = (boot: string): void =>
      setPlatform({ ...platform(), identity: () => ({ user: "", host: "", pid: 1, boot }) });
    inBoot("one");
    const { folder, path, keys, find } = await keptKey();
    expect(await find()).toEqual(key);
    inBoot("two");
    expect(await find()).toBeUndefined();
    await keys().keep(PASSWORD, derivation, key);
    const [other = "", ...more] = (await readdir(folder)).map((name) => join(folder, name)).filter((at) => at !== path);
    expect(more).toEqual([]);
    expect(await find()).toEqual(key);
    await copyFile(path, other);
    expect(await find()).toBeUndefined();
    inBoot("one");
    expect(await find()).toEqual(key);
  });

  test("is not kept if the stage's own derivation is as cheap as that of the file", async () => {
    const { folder, keys } = await keptKey();
    await keys().keep(PASSWORD, { ...derivation, n: FILE }, key);
    expect(await readdir(folder)).toHaveLength(1);
  });

  test.each(["soon", "-1m", "13h", "1d"])("cannot last %j", (ENGINE_PASSWORD_CACHE) => {
    const make = () => keptKeysFor({ HOME: "/none", ENGINE_PASSWORD_CACHE }, () => {});
    expect(make).toThrow(expect.objectContaining({ code: "INVALID_OPTION" }));
    expect(make).toThrow(/ENGINE_PASSWORD_CACHE is .* Set it to a duration of at most 12 hours/);
  });
});

describe("the file of a kept key", () => {
  test.each<readonly [string, string, (file: string) => Promise<unknown>]>([
    ["that others can write", "by other users (mode 620)", (file) => chmod(file, 0o620)],
    ["that is a symbolic link", "is a symbolic link", moveAndLink],
    ["that has a second name", "several names", (file) => link(file, `${file}.second`)],
    ["that is too large", "is too large", (file) => writeFile(file, " ".repeat(5_000))],
  ])("%s is reported, not used, and replaced", async (_name, why, spoil) => {
    const { path, keys, refused, find } = await keptKey();
    await spoil(path);
    expect(await find()).toBeUndefined();
    expect(refused).toEqual([expect.stringContaining(why)]);
    await keys().keep(PASSWORD, derivation, key);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await find()).toEqual(key);
  });

  test.each<readonly [string, (file: string) => Promise<unknown>]>([
    ["cut short", (file) => truncate(file, 100)],
    ["emptied", (file) => truncate(file, 0)],
    ["filled with something else", (file) => writeFile(file, '{"format":1,"made":7}')],
    ["changed in its ciphertext", changeCiphertext],
    ["removed", (file) => unlink(file)],
  ])("%s is not used, and replaced without a report", async (_name, spoil) => {
    const { path, keys, refused, find } = await keptKey();
    await spoil(path);
    expect(await find()).toBeUndefined();
    await keys().keep(PASSWORD, derivation, key);
    expect(await find()).toEqual(key);
    expect(refused).toEqual([]);
  });

  test("that belongs to another user is not read", async () => {
    const { path } = await keptKey();
    const refused: string[] = [];
    const { uid } = await stat(path);
    expect(readKept(path, (why) => refused.push(why), uid)).toMatchObject({ format: 1 });
    expect(readKept(path, (why) => refused.push(why), uid + 1)).toBeUndefined();
    expect(refused).toEqual(["belongs to another user"]);
  });

  test("is removed without the files of others in its folder", async () => {
    const home = await newFolder();
    const folder = join(home, "scope-engine/passwords");
    await mkdir(folder, { recursive: true });
    const unfinished = `${"b".repeat(40)}.json.${crypto.randomUUID()}.tmp`;
    for (const name of ["letter.txt", `${"a".repeat(40)}.json`, unfinished]) await writeFile(join(folder, name), "");
    expect(keptKeysFor({ XDG_STATE_HOME: home, ENGINE_PASSWORD_CACHE: "0" }, () => {})).toBeUndefined();
    expect(await readdir(folder)).toEqual(["letter.txt"]);
  });
});

async function moveAndLink(file: string): Promise<void> {
  await rename(file, `${file}.moved`);
  await symlink(`${file}.moved`, file);
}

async function changeCiphertext(file: string): Promise<void> {
  const kept = JSON.parse(await readFile(file, "utf8"));
  const bytes = Buffer.from(kept.sealed, "base64");
  bytes[20] = 1 ^ (bytes[20] ?? 0);
  await writeFile(file, JSON.stringify({ ...kept, sealed: bytes.toString("base64") }));
}

/** The salts that a state in files records. */
async function saltsIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
  return texts.flatMap((text) => /"salt":\s*"([^"]+)"/.exec(text)?.[1] ?? []);
}
