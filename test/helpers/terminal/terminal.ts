/** A real terminal with a readable screen: a window of tmux. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { given } from "../../servers/given.ts";
import { until } from "../time/until.ts";

/** The reason why there is no pseudo-terminal; undefined if there is one. */
export const lacksTerminal = await given("tmux");

interface Given {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Default: 200. */
  readonly columns?: number;
  /** Default: 50. */
  readonly rows?: number;
}

export interface Terminal {
  /** The lines on the screen, without the empty ones at the end. */
  screen(): Promise<string[]>;
  /** The same with the lines that have scrolled out of it. */
  history(): Promise<string[]>;
  /** The lines on the screen, with their colours. */
  colours(): Promise<string>;
  /** Resolves with the screen once `isWanted` is true of it. */
  until(isWanted: (screen: readonly string[]) => boolean): Promise<string[]>;
  /** Resolves with all lines so far, including those that are out of sight, once they contain this. */
  shows(text: string | RegExp): Promise<string>;
  /** Resolves with the screen when the program has ended, which the last line shows. */
  ended(): Promise<string[]>;
  /** As tmux names keys, e.g. `C-c`. */
  press(key: string): Promise<void>;
  resize(columns: number, rows: number): Promise<void>;
  isCursorVisible(): Promise<boolean>;
  close(): Promise<void>;
}

/** Runs a command in it; then shows `ended with` and its exit code. */
export async function openTerminal(command: readonly string[], given: Given): Promise<Terminal> {
  const { env = {}, cwd, columns = 200, rows = 50 } = given;
  const folder = await mkdtemp(join(tmpdir(), "scope-engine-terminal-"));
  const socket = join(folder, "tmux");
  const tmux = async (...command: string[]): Promise<string> => {
    const child = spawn("tmux", ["-u", "-f", "/dev/null", "-S", socket, ...command], {
      cwd,
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        XDG_STATE_HOME: process.env.XDG_STATE_HOME,
        TERM: "xterm-256color",
        LANG: "C.UTF-8",
        ENGINE_STAGE: "dev",
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [printed] = await Promise.all([text(child.stdout), once(child, "close")]);
    return printed;
  };
  // tmux itself sets some variables, such as TERM. The shell also gets each Ctrl-C, and has to survive it; the screen
  // stays when the program has ended.
  const settings = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const script = `trap : INT; ${["env", ...settings, ...command].map(quoted).join(" ")}; echo "ended with $?"; exec sleep 1000`;
  await tmux("new-session", "-d", "-x", `${columns}`, "-y", `${rows}`, script);
  const screen = async (): Promise<string[]> => (await tmux("capture-pane", "-p")).trimEnd().split("\n");
  const history = async (): Promise<string> => (await tmux("capture-pane", "-p", "-J", "-S", "-")).trimEnd();
  return {
    screen,
    until: (isWanted) => until(screen, isWanted),
    shows: (text) => until(history, (seen) => (typeof text === "string" ? seen.includes(text) : text.test(seen))),
    history: async () => (await tmux("capture-pane", "-p", "-S", "-")).trimEnd().split("\n"),
    colours: () => tmux("capture-pane", "-p", "-e"),
    ended: () => until(screen, (seen) => /^ended with \d+$/.test(seen.at(-1) ?? "")),
    press: async (key) => void (await tmux("send-keys", key)),
    resize: async (toColumns, toRows) => {
      await tmux("resize-window", "-x", `${toColumns}`, "-y", `${toRows}`);
    },
    isCursorVisible: async () => (await tmux("display-message", "-p", "#{cursor_flag}")).trim() === "1",
    async close() {
      await tmux("kill-server");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
