/** What is done before the terminal, in which order. */
import { setTimeout as pause } from "node:timers/promises";
import { fsStore } from "../../adapters/fs/index.ts";
import { stageAdmin } from "../../plugins/admin/index.ts";
import { textsOf } from "./screen.ts";
import { isAtPrompt, type Shell } from "./shell.ts";

export const SIZE = { columns: 64, rows: 25 } as const;

export const KEYS = { enter: "\r", clear: "\f", stop: "\u001A" } as const;

export interface Action {
  readonly caption: string;
  /** It is typed, and entered. */
  readonly command?: string;
  /** Pressed where there is no command. */
  readonly key?: string;
  /** Milliseconds for which one looks at what came of it. */
  readonly hold: number;
  /** Default: until the shell asks for the next command. */
  until?(shell: Shell, folder: string): Promise<void>;
}

const clear = (caption: string): Action => ({
  caption,
  key: KEYS.clear,
  hold: 0,
  until: (shell) => shell.until((screen) => isAtPrompt(screen) && screen.cursor.row === 0),
});

const first = "A program and its resources";
const made = "Run it";
const again = "Run it again: nothing to do";
const planned = "Change it, and see the plan";
const killed = "Kill a run in the middle";
const resumed = "The next run goes on: nothing lost, nothing made twice";

export const ACTIONS: readonly Action[] = [
  { caption: first, command: "cat engine.run.ts", hold: 2200 },
  clear(made),
  { caption: made, command: "npx engine up", hold: 800 },
  { caption: again, command: "npx engine up", hold: 1100 },
  clear(planned),
  { caption: planned, command: "sed -i s/debian-12/debian-13/ engine.run.ts", hold: 0 },
  { caption: planned, command: 'sed -i "s/disk: 10/disk: 20/" engine.run.ts', hold: 0 },
  { caption: planned, command: "npx engine plan", hold: 2800 },
  clear(killed),
  { caption: killed, command: "npx engine up", hold: 400, until: isInTheMiddle },
  { caption: killed, key: KEYS.stop, hold: 100 },
  { caption: killed, command: "kill -9 %1", hold: 600 },
  { caption: resumed, command: "npx engine up", hold: 800 },
  { caption: resumed, command: "ls cloud", hold: 3200 },
];

/** One server is there and recorded; another one is there, and nobody knows. */
async function isInTheMiddle(shell: Shell, rootDir: string): Promise<void> {
  await shell.until((screen) => {
    const text = textsOf(screen).join("\n");
    return /^replaced \S+\/cart /m.test(text) && /^ {2}replace +\d+ s {2}\S+\/search$/m.test(text);
  });
  await using admin = stageAdmin(fsStore(), { app: "shop", stage: "dev", rootDir, env: {} });
  // A line is printed while its result is being recorded.
  while (!(await isRecorded(admin, "shop/dev/web/cart"))) await pause(20);
}

async function isRecorded(admin: ReturnType<typeof stageAdmin>, fqn: string): Promise<boolean> {
  const { resources } = await admin.list();
  return resources.some((one) => one.fqn === fqn && one.status === "ready" && !one.replaced);
}
