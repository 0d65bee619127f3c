/** A fleet whose resources are files in a folder, so that other processes can count what was made. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fsStoreAt } from "../../../../adapters/fs/index.js";
import { Resource } from "../../../../core/resource/index.js";
import { type Fleet, fleet } from "../../../../plugins/fleet/index.js";

export interface TenantsOptions {
  readonly stages: number;
  /** Folder of the state; or the URL of a store. */
  readonly state: string;
  /** Folder of the real resources. */
  readonly world: string;
  /** Value of all resources. Default: "small". */
  readonly plan?: string;
  /** Milliseconds that each handler takes. Default: 0. */
  readonly delay?: number;
  /** Stages that kill their process. */
  readonly killers?: readonly string[];
  /** Stages that fail. */
  readonly failing?: readonly string[];
  /** Stages that fail for another reason. */
  readonly refused?: readonly string[];
  readonly resources?: number;
  readonly concurrency?: number;
  readonly version?: string;
}

/** The real resource of one token: made at most once, however often `create` is called for it. */
interface Made {
  readonly stage: string;
  readonly id: string;
  readonly plan: string;
}

export function tenants(given: TenantsOptions): Fleet {
  const {
    stages,
    state,
    world,
    plan = "small",
    delay = 0,
    killers = [],
    failing = [],
    refused = [],
    resources = 3,
  } = given;
  mkdirSync(world, { recursive: true });
  const at = (token: string): string => join(world, `${token.replace(/[^A-Za-z0-9-]/g, "_")}.json`);
  const Tenant = Resource("test:Tenant", {
    idempotent: true,
    create: async ({
      props,
      token,
      stage,
      id,
      signal,
    }: {
      signal: AbortSignal;
      props: { plan: string };
      token: string;
      stage: string;
      id: string;
    }) => {
      writeFileSync(at(token), JSON.stringify({ stage, id, plan: props.plan } satisfies Made));
      if (delay > 0) await pause(delay, undefined, { signal });
      return { file: at(token), plan: props.plan };
    },
    update: async ({ props, output, stage, id }) => {
      writeFileSync(output.file, JSON.stringify({ stage, id, plan: props.plan } satisfies Made));
      if (delay > 0) await pause(delay);
      return { ...output, plan: props.plan };
    },
    delete: async ({ output }) => {
      if (output) rmSync(output.file, { force: true });
      if (delay > 0) await pause(delay);
    },
  });
  return fleet("tenants", {
    stages: Array.from({ length: stages }, (_, index) => ({ stage: `t${index}`, input: { plan } })),
    program: async (app, input) => {
      if (killers.includes(app.stage)) process.kill(process.pid, "SIGKILL");
      if (failing.includes(app.stage)) throw new Error(`broken: ${app.stage}`);
      if (refused.includes(app.stage)) throw new Error(`the quota of ${app.stage} is used up`);
      for (let index = 0; index < resources; index++) await Tenant(`r${index}`, input);
    },
    maxFailures: "100%",
    ...(given.concurrency !== undefined && { concurrency: given.concurrency }),
    ...(given.version !== undefined && { version: given.version }),
    options: { stateStore: state.includes("://") ? state : fsStoreAt(state), env: {} },
  });
}

/** The real resources. */
export function madeIn(world: string): readonly Made[] {
  return readdirSync(world).map((name) => JSON.parse(readFileSync(join(world, name), "utf8")) as Made);
}

/** Number of the real resources; some may be half written. */
export function countIn(world: string): number {
  return readdirSync(world).length;
}
