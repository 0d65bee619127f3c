/** Starts workers and conductors of the fleet in tenants.ts as processes, and kills them. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { FleetReport } from "../../../../plugins/fleet/index.js";
import { compiledProgram } from "../../../helpers/processes/compiled-program.js";
import { until } from "../../../helpers/time/until.js";
import type { TenantsOptions } from "./tenants.js";

const PROGRAM = compiledProgram(new URL("./tenants.child.ts", import.meta.url));

export interface Member {
  readonly process: ChildProcess;
  readonly lines: readonly string[];
  readonly ended: Promise<void>;
  /** Resolves with the rest of the first line with this beginning; rejects if it ends without one. */
  said(start: string): Promise<string>;
  kill(): Promise<void>;
}

export type Role = "worker" | "up" | "destroy" | "retry" | "plan" | "drift" | "cancel";

export class Crew {
  readonly #queue: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #members = new Set<Member>();
  settings: TenantsOptions;

  /** @param env variables of the processes */
  constructor(queue: string, settings: TenantsOptions, env: Readonly<Record<string, string>> = {}) {
    this.#queue = queue;
    this.#env = env;
    this.settings = settings;
  }

  start(role: Role): Member {
    const child = spawn(process.execPath, [PROGRAM, role, this.#queue, JSON.stringify(this.settings)], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, NODE_EXTRA_CA_CERTS: "", ...this.#env },
    });
    const lines: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on("line", (line) => void lines.push(line));
    let isOver = false;
    const ended = once(child, "close").then(() => {
      isOver = true;
      this.#members.delete(member);
    });
    const find = (start: string): string | undefined => lines.find((line) => line.startsWith(start));
    const member: Member = {
      process: child,
      lines,
      ended,
      async said(start) {
        await until(() => find(start) !== undefined || isOver);
        const found = find(start);
        if (found === undefined) throw new Error(`It ended without "${start}":\n${lines.join("\n")}`);
        return found.slice(start.length);
      },
      async kill() {
        child.kill("SIGKILL");
        await ended;
      },
    };
    this.#members.add(member);
    return member;
  }

  /** Starts workers, and resolves when they take jobs. */
  async workers(count: number): Promise<Member[]> {
    const members = Array.from({ length: count }, () => this.start("worker"));
    await Promise.all(members.map((member) => member.said("ready")));
    return members;
  }

  /** Runs a conductor to its end. */
  async conduct(role: Exclude<Role, "worker">): Promise<FleetReport> {
    return reportOf(this.start(role));
  }

  async end(): Promise<void> {
    await Promise.all([...this.#members].map((member) => member.kill()));
  }
}

export async function reportOf(conductor: Member): Promise<FleetReport> {
  // Not `said`, which has a limit: a stage whose worker was killed begins again after ten seconds.
  await conductor.ended;
  const rest = await conductor.said("report ");
  return JSON.parse(rest) as FleetReport;
}
