// Time and memory that this process has used so far.
import { readFileSync } from "node:fs";

/** Milliseconds since a moment of `performance.now()`. */
export const since = (from) => Math.round((performance.now() - from) * 100) / 100;

export function usage() {
  const { user, system } = process.cpuUsage();
  return { cpuMs: Math.round((user + system) / 10) / 100, peakMb: Math.round(peakBytes() / 1e5) / 10 };
}

// On Linux `maxRSS` starts with that of the parent process: a child of a large parent seems as large.
function peakBytes() {
  try {
    const own = /^VmHWM:\s*(\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8"));
    if (own) return Number(own[1]) * 1024;
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
  return process.resourceUsage().maxRSS * 1024;
}
