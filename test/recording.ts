/**
 * Makes docs/terminal.svg: `npm run recording`. A real shell runs docs/examples/shop in a pseudo-terminal, and every
 * screen becomes a part of one picture, which plays by itself without a script.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import xterm, { type IBufferCell } from "@xterm/headless";
import { root } from "./house/project.ts";
import { installPackage } from "./package/consumer.ts";

const COLUMNS = 64;
const ROWS = 25;
const CELL = { width: 9, height: 21, baseline: 15.5 };
const [MARGIN, BAR] = [18, 40];
const INKS = { dim: "#96a0ac", red: "#ff8078", green: "#56d364", yellow: "#e3b341", blue: "#79b8ff", cyan: "#56d4dd" };
const COLOURS = ["black", "red", "green", "yellow", "blue", "magenta", "cyan"];
const FONT = 'ui-monospace,SFMono-Regular,"SF Mono",Menlo,Consolas,"Liberation Mono","DejaVu Sans Mono",monospace';

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

/** The first loop begins at the screen with this text, so that a page shows results at once. */
const FIRST = /up done in .*: 4 created/;

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

/** A screen, as the markup of its rows, and the time when it was shown. */
interface Shot {
  readonly caption: string;
  readonly rows: readonly string[];
  readonly milliseconds: number;
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const terminal = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true });

function texts(): string[] {
  const { active } = terminal.buffer;
  return Array.from({ length: ROWS }, (_, y) => active.getLine(active.viewportY + y)?.translateToString(true) ?? "");
}

const isAtPrompt = (): boolean => /^~\S* \$ ?$/.test(texts()[terminal.buffer.active.cursorY] ?? "");

function classOf(cell: IBufferCell): string {
  const colour = cell.isFgPalette() ? (COLOURS[cell.getFgColor()] ?? "") : "";
  return [cell.isBold() ? "bold" : "", cell.isDim() ? "dim" : "", colour].filter(Boolean).join(" ");
}

/** Adjacent cells of a row that look the same, as one element. */
function markupOf(y: number): string {
  const { active } = terminal.buffer;
  const line = active.getLine(active.viewportY + y);
  const runs: { look: string; text: string }[] = [];
  const text = line?.translateToString(true).trimEnd() ?? "";
  const indent = text.search(/\S|$/);
  for (let x = indent; x < text.length; x++) {
    const cell = line?.getCell(x);
    const look = cell ? classOf(cell) : "";
    const last = runs.at(-1);
    if (last?.look === look) last.text += cell?.getChars() || " ";
    else runs.push({ look, text: cell?.getChars() || " " });
  }
  if (runs.length === 0) return "";
  const spans = runs.map(({ look, text }) =>
    look ? `<tspan class="${look}">${escaped(text)}</tspan>` : escaped(text),
  );
  const [left, length] = [indent * CELL.width, (text.length - indent) * CELL.width];
  return `<text x="${left}" y="${y * CELL.height + CELL.baseline}" textLength="${length}">${spans.join("")}</text>`;
}

async function recorded(child: ChildProcessByStdio<Writable, Readable, null>): Promise<readonly Shot[]> {
  const shots: Shot[] = [];
  let seen = Array.from({ length: ROWS }, (_, y) => markupOf(y));
  let since = performance.now();
  let caption = STEPS[0]?.caption ?? "";
  /** Output of programs stays for 30 to 300 milliseconds. */
  const keep = (hold = 300): void => {
    const milliseconds = Math.min(performance.now() - since, hold);
    if (milliseconds >= 30) shots.push({ caption, rows: seen, milliseconds });
    seen = Array.from({ length: ROWS }, (_, y) => markupOf(y));
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
      rows: Array.from({ length: ROWS }, (_, y) => markupOf(y)),
      milliseconds: step.hold,
    });
    if (step === STEPS[0]) shots.splice(0, shots.length - 1); // The picture begins with the program.
    since = performance.now();
    caption = STEPS[STEPS.indexOf(step) + 1]?.caption ?? caption;
  }
  return shots;
}

/** Plays by CSS: each part of the picture is visible for some time. Without motion, the last screen stays. */
class Animation {
  readonly #total: number;
  readonly #start: number;
  readonly #names = new Map<string, string>();

  /** @param start milliseconds after which the first loop begins */
  constructor(total: number, start: number) {
    this.#total = total;
    this.#start = start;
  }

  /** Contents of one kind in the shots, each for as long as it stays the same. */
  partsOf(shots: readonly Shot[], contentOf: (shot: Shot) => string): string[] {
    const groups = new Map<string, string>();
    let [at, from] = [0, 0];
    for (const [index, shot] of shots.entries()) {
      at += shot.milliseconds;
      const content = contentOf(shot);
      const next = shots[index + 1];
      if (next && contentOf(next) === content) continue;
      const name = this.#seen(from, at);
      if (content !== "") groups.set(name, (groups.get(name) ?? "") + content);
      from = at;
    }
    return [...groups].map(([name, content]) => `<g class="${name}">${content}</g>`);
  }

  #seen(from: number, to: number): string {
    const percent = (time: number): string => `${Math.round((time / this.#total) * 10_000) / 100}%`;
    const end = to < this.#total ? `${percent(to)}{opacity:0}` : "";
    const frames = `${from > 0 ? "0%{opacity:0}" : ""}${percent(from)}{opacity:1}${end}`;
    const name = this.#names.get(frames) ?? `s${this.#names.size}`;
    this.#names.set(frames, name);
    return end === "" ? name : `${name} gone`;
  }

  get css(): string {
    const seconds = `${this.#total / 1000}s -${this.#start / 1000}s`;
    const rules = [...this.#names].map(
      ([frames, name]) => `@keyframes ${name}{${frames}}.${name}{animation:${name} ${seconds} step-end infinite}`,
    );
    return `${rules.join("\n")}\n@keyframes progress{to{transform:none}}.progress{animation:progress ${seconds} linear infinite}`;
  }
}

/** True for a screen with at most a prompt and a command without output. */
const isCleared = (shot: Shot | undefined): boolean => shot?.rows.slice(1).every((row) => row === "") ?? true;

/** The whole text, for those who cannot see it: each screen before it is cleared. */
function descriptionOf(shots: readonly Shot[]): string {
  const textOf = (row: string): string =>
    row.replace(/<text x="(\d+)"/, (tag, x) => " ".repeat(Number(x) / CELL.width) + tag).replaceAll(/<[^>]+>/g, "");
  return shots
    .filter((shot, index) => !isCleared(shot) && isCleared(shots[index + 1]))
    .map(({ rows }) =>
      rows
        .map(textOf)
        .join("\n")
        .replace(/\s+(~\/shop \$)?\s*$/, ""),
    )
    .join("\n");
}

function pictureOf(all: readonly Shot[]): string {
  // An empty terminal shows nothing to a reader who looks at that moment.
  const shots = all.filter((shot) => !isCleared(shot));
  const [width, height] = [COLUMNS * CELL.width + 2 * MARGIN, ROWS * CELL.height + BAR + 2 * MARGIN - 4];
  const lengthOf = (some: readonly Shot[]): number =>
    some.reduce((sum, { milliseconds }) => sum + Math.round(milliseconds), 0);
  const first = shots.findIndex(({ rows: shown }) => FIRST.test(shown.join("\n").replaceAll(/<[^>]+>/g, "")));
  const animation = new Animation(lengthOf(shots), lengthOf(shots.slice(0, first)));
  const rows = Array.from({ length: ROWS }, (_, y) => animation.partsOf(shots, (shot) => shot.rows[y] ?? "")).flat();
  const captions = animation.partsOf(
    shots,
    ({ caption }) => `<text x="${width / 2}" y="25.5" class="caption" text-anchor="middle">${escaped(caption)}</text>`,
  );
  const outline = `x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10"`;
  const buttons = ["#ff5f57", "#febc2e", "#28c840"].map(
    (fill, index) => `<circle cx="${21 + index * 20}" cy="${BAR / 2}" r="6" fill="${fill}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title desc">
<title id="title">scope-engine in a terminal</title>
<desc id="desc">
${descriptionOf(all)}
</desc>
<style>text{font:15px ${FONT};fill:#e3e8ee;white-space:pre}.bold{font-weight:bold}.gone{opacity:0}
${Object.entries(INKS)
  .map(([name, colour]) => `.${name}{fill:${colour}}`)
  .join("")}
.caption{font:600 14px system-ui,-apple-system,"Segoe UI",sans-serif;fill:#bcc5cf}.progress{fill:#79b8ff;transform:scaleX(0)}
@media (prefers-reduced-motion:no-preference){
${animation.css}
}</style>
<clipPath id="window"><rect ${outline}/></clipPath>
<rect ${outline} fill="#12161d"/>
<path d="M0.5 ${BAR}V10.5a10 10 0 0 1 10-10H${width - 10.5}a10 10 0 0 1 10 10V${BAR}z" fill="#1c222b"/>
<rect ${outline} fill="none" stroke="#39424e"/>
${buttons.join("")}
${captions.join("\n")}
<svg x="${MARGIN}" y="${BAR + MARGIN - 6}" width="${COLUMNS * CELL.width}" height="${ROWS * CELL.height}" xml:space="preserve">
${rows.join("\n")}
</svg>
<g clip-path="url(#window)"><rect class="progress" y="${height - 3}" width="${width}" height="3"/></g>
</svg>
`;
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
  const bash = String.raw`stty cols ${COLUMNS} rows ${ROWS}; exec env 'PS1=\[\e[36m\]\w\[\e[m\] $ ' bash --norc --noprofile -i`;
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
