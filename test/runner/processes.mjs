/** The processes that a run starts: each is ended with all that it has started, however the run ends. */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setPriority } from "node:os";

/** What a process has printed is kept up to so many characters, the end of it. */
const LIMIT = 1_000_000;

/** @param folder the TMPDIR of the run, by which its processes are known */
export function processesOf(folder, cwd) {
  const running = new Set();
  const { FORCE_COLOR: _, ...inherited } = process.env;

  /**
   * Resolves when it has ended.
   *
   * @param told called with each message that it sends
   * @param isPatient lets others go first
   */
  const run = (command, args, { env = {}, told = undefined, isPatient = false } = {}) => {
    const started = performance.now();
    const child = spawn(command, args, {
      cwd,
      env: { ...inherited, NO_COLOR: "1", TMPDIR: folder, ...env },
      stdio: ["ignore", "pipe", "pipe", ...(told ? ["ipc"] : [])],
      // Ctrl-C is for this process, which ends the others in their order.
      detached: true,
    });
    running.add(child);
    if (isPatient && child.pid !== undefined) setPriority(child.pid, 10);
    if (told) child.on("message", told);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        output = (output + text).slice(-LIMIT);
      });
    }
    return new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => {
        running.delete(child);
        resolve({ ok: code === 0, output, seconds: (performance.now() - started) / 1_000 });
      });
    });
  };

  /** Kills all that is left; what has come meanwhile, too. */
  const end = async () => {
    for (let round = 0; round < 20; round++) {
      const left = [...[...running].flatMap(({ pid }) => (pid === undefined ? [] : [-pid])), ...ownedBy(folder)];
      if (left.length === 0) return;
      for (const pid of left) kill(pid);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };

  return { run, end };
}

/** The processes whose environment names the folder as TMPDIR, and all that they have started. */
function ownedBy(folder) {
  const parents = new Map();
  const owned = new Set();
  for (const name of process.platform === "linux" ? readdirSync("/proc") : []) {
    const pid = Number(name);
    if (!(pid > 1) || pid === process.pid) continue;
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
      const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (state === "Z") continue;
      parents.set(pid, Number(parent));
      if (readFileSync(`/proc/${pid}/environ`, "latin1").split("\0").includes(`TMPDIR=${folder}`)) owned.add(pid);
    } catch (error) {
      // It has ended meanwhile, or is somebody else's.
      if (!["ENOENT", "ESRCH", "EACCES", "EPERM"].includes(error.code)) throw error;
    }
  }
  for (let size = -1; size !== owned.size; ) {
    size = owned.size;
    for (const [pid, parent] of parents) if (owned.has(parent)) owned.add(pid);
  }
  return [...owned];
}

function kill(pid) {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
}
