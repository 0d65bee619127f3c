/** Who is at work on a stage, for people and for programs. */
import type { Holder } from "../../../core/admin/index.js";

const LIFE: Readonly<Record<Holder["process"], string>> = {
  runs: "it runs",
  stopped: "it is stopped",
  gone: "it is gone",
  unknown: "on another machine",
};

export function holderText({ owner, command, process: life }: Holder): string {
  const { user, host, pid, since, ci } = owner;
  const parts = [`process ${pid}`, LIFE[life], ...(ci === undefined ? [] : [ci])];
  return `${user}@${host} (${parts.join(", ")}), ${command} since ${since}`;
}

export function holderJson({ session, owner, command, version, process: life, beats, ttl }: Holder): object {
  const { user, host, pid, since, ci } = owner;
  return {
    session,
    command,
    user,
    host,
    pid,
    since,
    ...(ci === undefined ? {} : { ci }),
    process: life,
    beats,
    ttl,
    version,
  };
}
