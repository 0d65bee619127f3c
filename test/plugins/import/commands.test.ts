/** Commands in messages, as a shell takes them. */
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readFolder } from "../../../plugins/import/readers.js";
import { shellWord } from "../../../plugins/internal/text/shell-word.js";

let folder: string;
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), "commands-")), "it's my $(folder)");
  await mkdir(folder);
});
afterEach(() => rm(join(folder, ".."), { recursive: true }));

async function commandFor(name: string, isFolder = false): Promise<readonly string[]> {
  const path = join(folder, name);
  await (isFolder ? mkdir(path) : writeFile(path, ""));
  const { message } = await readFolder({ place: folder }).then(
    () => new Error("read"),
    (error: Error) => error,
  );
  const command = message.slice(message.indexOf(", run: ") + ", run: ".length).replace(/ \[\w+\]$/, "");
  return execFileSync("sh", ["-c", `engine() { printf '%s\\n' "$@"; }; ${command}`], { encoding: "utf8" }).split("\n");
}

test.each([
  ["a state.tfstate", false],
  [".alchemy", true],
])("the command for a folder with spaces that holds %s names another path", async (name, isFolder) => {
  expect(await commandFor(name, isFolder)).toEqual(["import", join(folder, name), ""]);
});

test("the command for a folder with workspaces names the state of one", async () => {
  const path = join(folder, "terraform.tfstate.d", "WORKSPACE", "terraform.tfstate");
  expect(await commandFor("terraform.tfstate.d", true)).toEqual(["import", path, ""]);
});

test.each(["plain/path-1.0", "a b", "it's", "", "$HOME", "`x`", '"', "a\\b", "*", "~", "#", "é", "a\nb"])(
  "a shell takes %j as one word",
  (word) => {
    expect(execFileSync("sh", ["-c", `printf '%s' ${shellWord(word)}`], { encoding: "utf8" })).toBe(word);
  },
);
