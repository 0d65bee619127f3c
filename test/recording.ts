/**
 * Makes docs/terminal.svg: `npm run recording`. A real shell runs docs/examples/shop in a pseudo-terminal, and every
 * screen becomes a part of one picture, which plays by itself without a script.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import xterm from "@xterm/headless";
import { root } from "./house/project.ts";
import { installPackage } from "./package/consumer.ts";
import { markupOf, pictureOf, type Shot, SIZE } from "./terminal-picture.ts";

interface Step {
  readonly caption: string;
  readonly keys: string;
  /** Milliseconds for which the last screen stays. */
  readonly hold: number;
  /** The screen that ends the step. Default: the prompt. */
  readonly until?: RegExp;
}

const [CLEAR, STOP] = ["\f", "\u001A"];
const [killed, planned] = ["Kill a run in the middle", "Change it, and see the plan"];
const resumed = "The next run carries on: nothing lost, nothing created twice";
const STEPS: readonly Step[] = [
  { caption: "A program and its resources", keys: "cat engine.run.ts\r", hold: 2400 },
  { caption: "Run it", keys: CLEAR, hold: 200 },
  { caption: "Run it", keys: "npx engine up\r", hold: 1000 },
  { caption: "Run it again: nothing to do", keys: "npx engine up\r", hold: 1300 },
  { caption: planned, keys: CLEAR, hold: 200 },
  { caption: planned, keys: "sed -i s/debian-12/debian-13/ engine.run.ts\r", hold: 200 },
  { caption: planned, keys: 'sed -i "s/disk: 10/disk: 20/" engine.run.ts\r', hold: 200 },
  { caption: planned, keys: "npx engine plan\r", hold: 3000 },
  { caption: killed, keys: CLEAR, hold: 200 },
  {
    caption: killed,
    keys: "npx engine up\r",
    hold: 600,
    until: /^replaced \S+\/cart [\s\S]*^ {2}replace .*\/search$/m,
  },
  { caption: killed, keys: STOP, hold: 300 },
  { caption: killed, keys: "kill -9 %1\r", hold: 800 },
  { caption: resumed, keys: "npx engine up\r", hold: 1000 },
  { caption: resumed, keys: "ls cloud\r", hold: 3400 },
];

/**
 * User and machine have invented names. New servers with several CPUs are never ready in the run that creates them, so
 * it is killed while they start, however fast this machine is.
 */
const PRELOADED = `import os from "node:os";
import { readFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers/promises";
os.hostname = () => "laptop";
os.userInfo = () => ({ username: "ada" });
const { setTimeout: pause } = timers;
const isHeld = (time) => [1600, 3200].includes(time) && readFileSync("engine.run.ts", "utf8").includes("debian-13");
timers.setTimeout = (time, ...rest) => pause(isHeld(time) ? 1e9 : time, ...rest);
syncBuiltinESMExports();
`;

/** Before it prompts, the shell waits until a killed job has ended: otherwise it reports that a command later. */
const BEFORE_PROMPT = String.raw`for job in $(jobs -p); do
  while grep -qs '^State:\s[^T]' /proc/$job/status; do sleep 0.02; done
done`;

const terminal = new xterm.Terminal({ cols: SIZE.columns, rows: SIZE.rows, allowProposedApi: true });

function texts(): string[] {
  const { active } = terminal.buffer;
  return Array.from(
    { length: SIZE.rows },
    (_, y) => active.getLine(active.viewportY + y)?.translateToString(true) ?? "",
  );
}

const isAtPrompt = (): boolean => /^~\S* \$ ?$/.test(texts()[terminal.buffer.active.cursorY] ?? "");

/** The markup of each row of the screen. */
function rowsShown(): string[] {
  const { active } = terminal.buffer;
  return Array.from({ length: SIZE.rows }, (_, y) => markupOf(active.getLine(active.viewportY + y), y));
}

async function recorded(child: ChildProcessByStdio<Writable, Readable, null>): Promise<readonly Shot[]> {
  const shots: Shot[] = [];
  let seen = rowsShown();
  let since = performance.now();
  let caption = STEPS[0]?.caption ?? "";
  /** Output of programs stays for 30 to 300 milliseconds. */
  const keep = (hold = 300): void => {
    const milliseconds = Math.min(performance.now() - since, hold);
    if (milliseconds >= 30) shots.push({ caption, rows: seen, milliseconds });
    seen = rowsShown();
    since = performance.now();
  };
  child.stdout.on("data", (part: Buffer) => terminal.write(part, () => keep()));
  const until = async (isThere: () => boolean): Promise<void> => {
    const deadline = AbortSignal.timeout(60_000);
    while (!isThere()) {
      if (deadline.aborted) throw new Error(`The terminal never showed it:\n${texts().join("\n")}`);
      await pause(20);
    }
  };
  await until(isAtPrompt);
  shots.length = 0;
  for (const step of STEPS) {
    // Letters come in threes: each screen is a part of the picture.
    for (const keys of step.keys.match(/[^\r]{1,3}|\r/g) ?? []) {
      child.stdin.write(keys);
      await pause(80);
    }
    await until(() => (step.until ? step.until.test(texts().join("\n")) : isAtPrompt()));
    // A line is printed before its result is on the disk.
    if (step.until) await pause(1000);
    shots.push({
      caption: step.caption,
      rows: rowsShown(),
      milliseconds: step.hold,
    });
    if (step === STEPS[0]) shots.splice(0, shots.length - 1); // The picture begins with the program.
    since = performance.now();
    caption = STEPS[STEPS.indexOf(step) + 1]?.caption ?? caption;
  }
  return shots;
}

const installed = await installPackage();
try {
  const home = join(installed.folder, "home");
  const folder = join(home, "shop");
  await mkdir(folder, { recursive: true });
  await cp(join(installed.folder, "node_modules"), join(folder, "node_modules"), {
    recursive: true,
    verbatimSymlinks: true,
  });
  for (const name of ["engine.run.ts", "cloud.ts"])
    await cp(join(root, "docs/examples/shop", name), join(folder, name));
  await writeFile(join(folder, "package.json"), '{ "name": "shop", "private": true, "type": "module" }\n');
  await writeFile(join(home, "preloaded.mjs"), PRELOADED);
  const bash = String.raw`stty cols ${SIZE.columns} rows ${SIZE.rows}; exec env 'PS1=\[\e[36m\]\w\[\e[m\] $ ' bash --norc --noprofile -i`;
  const child = spawn("script", ["--quiet", "--flush", "--return", "--command", bash, "/dev/null"], {
    cwd: folder,
    stdio: ["pipe", "pipe", "ignore"],
    env: {
      PATH: process.env.PATH,
      HOME: home,
      TERM: "xterm-256color",
      LANG: "C.UTF-8",
      ENGINE_STAGE: "dev",
      NODE_OPTIONS: `--import=${join(home, "preloaded.mjs")}`,
      PROMPT_COMMAND: BEFORE_PROMPT,
      npm_config_progress: "false",
      npm_config_update_notifier: "false",
    },
  });
  try {
    await writeFile(join(root, "docs/terminal.svg"), pictureOf(await recorded(child)));
  } finally {
    child.kill();
  }
} finally {
  await installed.remove();
}
