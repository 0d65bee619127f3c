/** A user's folder with the shop in it and the package installed, on a machine that has no name of its own. */
import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../house/project.ts";

export interface Desk {
  /** `~/shop` for whoever sits there. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  remove(): Promise<void>;
}

/** Which user, on which machine: what a picture says of them is no concern of those who look at it. */
const NOBODY = `import os from "node:os";
import { syncBuiltinESMExports } from "node:module";
os.hostname = () => "laptop";
os.userInfo = () => ({ username: "ada" });
syncBuiltinESMExports();
`;

/**
 * Servers with more than one CPU never get through with their start once their image is another one: the run that begins it is killed
 * meanwhile, however late that is; and the next one finds them made, and waits for no start.
 */
const NEVER_THROUGH = `import { readFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers/promises";
const { setTimeout: pause } = timers;
const isHeld = (milliseconds) =>
  [1600, 3200].includes(milliseconds) && readFileSync("engine.run.ts", "utf8").includes("debian-13");
timers.setTimeout = (milliseconds, ...rest) => pause(isHeld(milliseconds) ? 1e9 : milliseconds, ...rest);
syncBuiltinESMExports();
`;

/**
 * Before it asks for the next command, the shell tells of jobs that have ended; of one that is still about to end, that
 * it is stopped. There is none at work but those that are stopped and those that were killed.
 */
const UNTIL_NONE_IS_ENDING = String.raw`for job in $(jobs -p); do
  while grep -qs '^State:\s[^T]' /proc/$job/status; do sleep 0.02; done
done`;

/** @param packages the folder `node_modules` in which the package was installed */
export async function openDesk(packages: string): Promise<Desk> {
  const home = await realpath(await mkdtemp(join(tmpdir(), "scope-engine-recording-")));
  const folder = join(home, "shop");
  await mkdir(folder);
  await Promise.all([
    cp(packages, join(folder, "node_modules"), { recursive: true, verbatimSymlinks: true }),
    writeFile(join(folder, "package.json"), '{ "name": "shop", "private": true, "type": "module" }\n'),
    ...["engine.run.ts", "cloud.ts"].map((name) => cp(join(root, "docs/examples/shop", name), join(folder, name))),
    writeFile(join(home, "nobody.mjs"), NOBODY),
    writeFile(join(home, "never-through.mjs"), NEVER_THROUGH),
  ]);
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    TERM: "xterm-256color",
    LANG: "C.UTF-8",
    ENGINE_STAGE: "dev",
    NODE_OPTIONS: ["nobody", "never-through"].map((name) => `--import=${join(home, name)}.mjs`).join(" "),
    PROMPT_COMMAND: UNTIL_NONE_IS_ENDING,
    npm_config_progress: "false",
    npm_config_update_notifier: "false",
  };
  return { folder, env, remove: () => rm(home, { recursive: true, force: true }) };
}
