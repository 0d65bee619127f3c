import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { engineProject, lacksPackage, main, type Project } from "../../helpers/engine-project.ts";
import { lacksTerminal, openTerminal, type Terminal } from "../../helpers/terminal.ts";
import { describeUnless, given } from "../../servers/given.ts";

const lacksShells = await given("shells");

let project: Project;
let path = "";
beforeAll(async () => {
  project = await engineProject({ "engine.run.ts": "", "other.ts": "" });
  const folder = await mkdtemp(join(tmpdir(), "engine-bin-"));
  await mkdir(join(folder, "bin"));
  await symlink(main, join(folder, "bin/engine"));
  path = `${join(folder, "bin")}:${process.env.PATH}`;
});
afterAll(async () => {
  await rm(join(path.split(":")[0] ?? "", ".."), { recursive: true, force: true });
  await project.remove();
});

/** What each of these has to offer. */
const CASES = [
  [["te"], ["telemetry"]],
  [
    ["telemetry", ""],
    ["status", "enable", "disable"],
  ],
  [["state", "l"], ["list"]],
  [["up", "--max"], ["--max-deletes"]],
  [["state", "show", "--show"], ["--show-secrets"]],
  [
    ["init", "--store", ""],
    ["files", "s3", "redis"],
  ],
  [["completion", "f"], ["fish"]],
] as const;

function shell(name: string, ...args: readonly string[]): string {
  const { stdout, stderr, status } = spawnSync(name, args, {
    cwd: project.folder,
    env: { ...process.env, PATH: path },
    encoding: "utf8",
  });
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  return stdout;
}

const made = new Map<string, string>();

/** What `engine completion` prints for a shell: the same each time. */
function completionFor(name: string): string {
  const script = made.get(name) ?? shell("engine", "completion", name);
  made.set(name, script);
  return script;
}

function inBash(...words: readonly string[]): readonly string[] {
  const line = ["engine", ...words].map((word) => `'${word}'`).join(" ");
  const script = `${completionFor("bash")}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length}; _engine_completion; echo "\${COMPREPLY[@]}"`;
  return shell("bash", "--norc", "-c", script).trim().split(" ");
}

describeUnless(lacksPackage ?? lacksShells, "completion", () => {
  it.each(CASES)("in bash of %j offers %j", (words, offered) => {
    expect(inBash(...words)).toEqual(expect.arrayContaining([...offered]));
  });

  it.each(CASES)("in fish of %j offers %j", (words, offered) => {
    const script = `${completionFor("fish")}\ncomplete -C 'engine ${words.join(" ")}'`;
    const lines = shell("fish", "--no-config", "-c", script).trim().split("\n");
    expect(lines.map((line) => line.split("\t")[0])).toEqual(expect.arrayContaining([...offered]));
  });

  it("names each command once with its aliases, and no other", () => {
    const words = inBash("");
    expect(words).toEqual(
      expect.arrayContaining(["init", "up", "deploy", "plan", "destroy", "state", "watch", "dev", "--help"]),
    );
    expect(new Set(words).size).toBe(words.length);
  });
});

describeUnless(lacksPackage ?? lacksShells ?? lacksTerminal, "completion in zsh", () => {
  let terminal: Terminal | undefined;
  afterEach(() => terminal?.close());

  it("completes a command and its options on TAB", async () => {
    terminal = await openTerminal(["zsh", "-f"], { cwd: project.folder, env: { PATH: path, PS1: "> " }, columns: 120 });
    await terminal.shows(">");
    const type = async (text: string): Promise<void> => terminal?.press(text);
    await type("autoload -U compinit; compinit -u; source <(engine completion zsh); echo rea''dy");
    await terminal.press("Enter");
    await terminal.shows("ready");
    await type("engine telem");
    await terminal.press("Tab");
    await terminal.shows(/> engine telemetry/);
    await type("dis");
    await terminal.press("Tab");
    await terminal.shows(/> engine telemetry disable/);
    await terminal.press("C-u");
    await type("engine up --max");
    await terminal.press("Tab");
    await terminal.shows(/> engine up --max-deletes/);
  });
});
