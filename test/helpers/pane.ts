/** A real terminal: a pane of tmux. */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";

const run = promisify(execFile);
/** Milliseconds. */
const PATIENCE = 20_000;

export interface Terminal {
  /** As tmux names keys, e.g. `C-c`. */
  press(key: string): Promise<void>;
  /** All lines so far, those that are out of sight included. */
  screen(): Promise<string>;
  /** Resolves with the screen when this is on it. */
  shows(text: string | RegExp): Promise<string>;
  close(): Promise<void>;
}

/** Runs a program in it; then shows `ended with` and its exit code. */
export async function openTerminal(
  command: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Terminal> {
  const folder = await mkdtemp(join(tmpdir(), "scope-engine-terminal-"));
  const socket = join(folder, "tmux");
  const tmux = (...args: readonly string[]) => run("tmux", ["-S", socket, "-f", "/dev/null", ...args]);
  // The shell gets each Ctrl-C as well, and has to outlive it to tell the exit code.
  const script = `trap : INT; ${command.map(quoted).join(" ")}; echo "ended with $?"; exec sleep 600`;
  const settings = Object.entries(env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
  await tmux("new-session", "-d", "-x", "200", "-y", "50", "-c", cwd, ...settings, "sh", "-c", script);
  const screen = async (): Promise<string> => (await tmux("capture-pane", "-p", "-J", "-S", "-")).stdout;
  return {
    async press(key) {
      await tmux("send-keys", key);
    },
    screen,
    async shows(text) {
      for (const started = performance.now(); ; ) {
        const seen = await screen();
        if (typeof text === "string" ? seen.includes(text) : text.test(seen)) return seen;
        if (performance.now() - started > PATIENCE) throw new Error(`The terminal does not show "${text}":\n${seen}`);
        await pause(20);
      }
    },
    async close() {
      await tmux("kill-server").catch(() => {});
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
