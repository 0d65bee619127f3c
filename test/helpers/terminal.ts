/** Programs of test/e2e on a real pseudo-terminal, whose screen can be looked at. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { lacking } from "../servers/install.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Why there is no pseudo-terminal here; undefined where there is. */
export const noTerminal = await lacking({ programs: ["tmux"], packages: ["tmux"] }, process.env);

interface Given {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly columns: number;
  readonly rows: number;
}

export interface Terminal {
  /** What is on the screen, without the empty lines at its end. */
  screen(): Promise<string[]>;
  /** With what has scrolled out of it. */
  history(): Promise<string[]>;
  /** What is on the screen, with its colours. */
  colours(): Promise<string>;
  /** Resolves with the screen once it is as wanted. */
  until(isWanted: (screen: readonly string[]) => boolean): Promise<string[]>;
  /** Resolves with the screen when the program has ended, which the last line says. */
  ended(): Promise<string[]>;
  press(key: string): Promise<void>;
  resize(columns: number, rows: number): Promise<void>;
  isCursorVisible(): Promise<boolean>;
  close(): Promise<void>;
}

export async function openTerminal(name: string, given: Given): Promise<Terminal> {
  const { args = [], env = {}, cwd, columns, rows } = given;
  const socket = join(cwd, "tmux");
  const tmux = async (...command: string[]): Promise<string> => {
    const child = spawn("tmux", ["-u", "-f", "/dev/null", "-S", socket, ...command], {
      cwd,
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        TERM: "xterm-256color",
        LANG: "C.UTF-8",
        ENGINE_STAGE: "dev",
        ...env,
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [printed] = await Promise.all([text(child.stdout), once(child, "close")]);
    return printed;
  };
  const file = `${root}test/e2e/programs/${name}.child.ts`;
  const command = [process.execPath, "--import", import.meta.resolve("tsx"), file, ...args].map((part) => `'${part}'`);
  const size = ["-x", `${columns}`, "-y", `${rows}`];
  // The screen stays when the program has ended.
  await tmux("new-session", "-d", ...size, `${command.join(" ")}; echo "ended with $?"; exec sleep 1000`);
  const screen = async (): Promise<string[]> => (await tmux("capture-pane", "-p")).trimEnd().split("\n");
  const until = async (isWanted: (screen: readonly string[]) => boolean): Promise<string[]> => {
    for (;;) {
      const seen = await screen();
      if (isWanted(seen)) return seen;
      await pause(20);
    }
  };
  return {
    screen,
    until,
    history: async () => (await tmux("capture-pane", "-p", "-S", "-")).trimEnd().split("\n"),
    colours: () => tmux("capture-pane", "-p", "-e"),
    ended: () => until((seen) => /^ended with \d+$/.test(seen.at(-1) ?? "")),
    press: async (key) => void (await tmux("send-keys", key)),
    resize: async (toColumns, toRows) => {
      await tmux("resize-window", "-x", `${toColumns}`, "-y", `${toRows}`);
    },
    isCursorVisible: async () => (await tmux("display-message", "-p", "#{cursor_flag}")).trim() === "1",
    close: async () => void (await tmux("kill-server")),
  };
}
