/** Fleets whose stages make one resource each, in memory. */
import { memoryStore } from "../../../adapters/memory/index.js";
import type { StateStore } from "../../../core/contract/index.js";
import { type Fleet, type FleetOptions, fleet } from "../../../plugins/fleet/index.js";
import { Resource } from "../../../plugins/index.js";

export interface Tenant {
  readonly plan: string;
  readonly fails?: boolean;
  readonly after?: readonly string[];
}

export interface Tenants {
  readonly store: StateStore;
  /** Begun programs and deletions, in order, e.g. `run a`, `delete a`. */
  readonly log: string[];
  readonly stages: Map<string, Tenant>;
  /** Makes another fleet on the same store, as another process would. */
  fleet(more?: Partial<FleetOptions<Tenant>>): Fleet;
}

export function tenants(
  names: readonly string[],
  { store = memoryStore(), ...input }: Partial<Tenant> & { readonly store?: StateStore } = {},
): Tenants {
  const log: string[] = [];
  const stages = new Map(names.map((name): [string, Tenant] => [name, { plan: "small", ...input }]));
  const Plan = Resource<{ readonly of: string }, { readonly of: string; readonly plan: string }>("test:Plan", {
    create: ({ props }) => ({ of: props.of }),
    update: ({ props }) => ({ of: props.of }),
    delete: ({ output }) => void log.push(`delete ${output?.of}`),
  });
  return {
    store,
    log,
    stages,
    fleet: (more) =>
      fleet<Tenant>("tenants", {
        stages: () => [...stages].map(([stage, tenant]) => ({ stage, input: tenant })),
        program: async (app, { plan, fails }) => {
          log.push(`run ${app.stage}`);
          if (fails) throw new Error(`The plan "${plan}" is not for sale.`);
          await Plan("plan", { of: app.stage, plan });
        },
        after: ({ after }) => after,
        maxFailures: "100%",
        ...more,
        options: { stateStore: store, ...more?.options },
      }),
  };
}

export function named(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `t${index}`);
}
