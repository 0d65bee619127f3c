/** A shell in a real pseudo-terminal, whose screen is written down whenever it changes. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import xterm from "@xterm/headless";
import { type Screen, screenOf, textOf } from "./screen.ts";

export interface Frame {
  /** Milliseconds from the beginning of the recording. */
  readonly at: number;
  readonly screen: Screen;
}

export interface Shell {
  readonly screen: Screen;
  /** What the screen has shown so far. */
  readonly frames: readonly Frame[];
  /** Writes a command without its end, and waits until it is on the screen. */
  type(command: string): Promise<void>;
  /** As it comes from a keyboard. */
  press(key: string): void;
  until(isThere: (screen: Screen) => boolean): Promise<void>;
  close(): Promise<void>;
}

interface Given {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly columns: number;
  readonly rows: number;
}

/** Milliseconds until something that was expected is given up. */
const PATIENCE = 60_000;

export function openShell({ cwd, env, columns, rows }: Given): Shell {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  // Set here: the shell that starts this one takes the variable out of the environment, for it asks nobody.
  const prompt = String.raw`PS1=\[\e[36m\]\w\[\e[m\] $ `;
  const bash = `stty cols ${columns} rows ${rows}; exec env '${prompt}' bash --norc --noprofile -i`;
  const child = spawn("script", ["--quiet", "--flush", "--return", "--command", bash, "/dev/null"], { cwd, env });
  const frames: Frame[] = [];
  const listeners = new Set<() => void>();
  const began = performance.now();
  child.stdout.on("data", (part: Buffer) => {
    const at = performance.now() - began;
    terminal.write(part, () => {
      const screen = screenOf(terminal);
      frames.push({ at, screen });
      for (const listener of listeners) listener();
    });
  });

  const now = (): Screen => frames.at(-1)?.screen ?? screenOf(terminal);
  const until = (isThere: (screen: Screen) => boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      const end = (): void => {
        listeners.delete(look);
        clearTimeout(timer);
      };
      const look = (): void => {
        if (!isThere(now())) return;
        end();
        resolve();
      };
      const timer = setTimeout(() => {
        end();
        reject(new Error(`The terminal never showed it:\n${now().rows.map(textOf).join("\n")}`));
      }, PATIENCE);
      listeners.add(look);
      look();
    });
  return {
    get screen() {
      return now();
    },
    frames,
    async type(command) {
      child.stdin.write(command);
      await until(({ rows, cursor }) => textOf(rows[cursor.row] ?? []).endsWith(` $ ${command}`));
    },
    press: (key) => void child.stdin.write(key),
    until,
    async close() {
      if (child.exitCode !== null) return;
      const closed = once(child, "close");
      // The end of its input ends a shell; what it has started hangs up with its terminal.
      child.kill("SIGTERM");
      await closed;
    },
  };
}

/** The shell waits for a command, and none has been typed. */
export function isAtPrompt({ rows, cursor }: Screen): boolean {
  const text = textOf(rows[cursor.row] ?? []);
  return /^~\S* \$$/.test(text) && cursor.column === text.length + 1;
}
