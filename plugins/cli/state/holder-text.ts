/** Who is at work on a stage, for people. */
import type { Holder } from "../../admin/operations/index.js";

const LIFE: Readonly<Record<Holder["process"], string>> = {
  runs: "it runs",
  stopped: "it is stopped",
  gone: "it is gone",
  unknown: "on another machine",
};

export function holderText({ user, host, pid, since, ci, command, process: life }: Holder): string {
  const parts = [`process ${pid}`, LIFE[life], ...(ci === undefined ? [] : [ci])];
  return `${user}@${host} (${parts.join(", ")}), ${command} since ${since}`;
}
