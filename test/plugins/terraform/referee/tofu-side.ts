/** Runs a configuration with OpenTofu. */
import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { impliedType } from "../../../../plugins/terraform/schema/index.js";
import { recordedIn, World } from "../fixture/world.ts";
import { tofuIn } from "../tofu.ts";
import { canonicalJson, parsedExactly } from "./canonical.ts";
import { startCounting } from "./counters.ts";
import { schemaOf } from "./schema-of.ts";
import type { Outcome, PlannedChange, Side } from "./side.ts";
import { tofuJson } from "./tofu-json.ts";

export async function tofuSide(folder: string, protocol: "5" | "6"): Promise<Side> {
  await mkdir(folder, { recursive: true });
  const tofu = await tofuIn(folder, { FIXTURE_PROTOCOL: protocol });
  await mkdir(tofu.world, { recursive: true });
  startCounting(tofu.world);
  await tofu.configure("");
  let seen = 0;
  const asked = () => {
    const all = recordedIn(tofu.world);
    const since = all.slice(seen);
    seen = all.length;
    return since;
  };
  return {
    world: new World(tofu.world),
    async step(step) {
      await writeFile(join(folder, "resources.tf.json"), tofuJson(step));
      tofu.setEnv({ FIXTURE_OLD: step.isOlder ? "1" : "" });
      asked();
      const refresh = `-refresh=${step.isRefreshed}`;
      const refused = await failureOf(tofu.run("plan", "-no-color", "-parallelism=1", refresh, "-out=plan"));
      const plannedBy = asked();
      if (refused !== undefined)
        return { changes: new Map(), plannedBy, appliedBy: [], states: statesIn(folder, step.isOlder), refused };
      const plan = parsedExactly(await tofu.run("show", "-json", "plan"));
      asked();
      const failure = await failureOf(tofu.run("apply", "-no-color", "-parallelism=1", "plan"));
      return {
        changes: changesIn(plan, step.isOlder),
        plannedBy,
        appliedBy: asked(),
        states: statesIn(folder, step.isOlder),
        failure,
      };
    },
  };
}

async function failureOf(running: Promise<unknown>): Promise<string | undefined> {
  const [settled] = await Promise.allSettled([running]);
  if (settled?.status !== "rejected") return undefined;
  return String(Reflect.get(Object(settled.reason), "stderr") ?? settled.reason);
}

interface Shown {
  readonly resource_changes?: readonly {
    readonly type: string;
    readonly name: string;
    readonly change: { readonly actions: readonly string[]; readonly after: unknown; readonly after_unknown: unknown };
  }[];
}

function changesIn(plan: unknown, isOlder: boolean): Outcome["changes"] {
  const { resource_changes = [] }: Shown = Object(plan);
  return new Map(
    resource_changes.map(({ type, name, change: { actions, after, after_unknown } }): [string, PlannedChange] => {
      const planned = canonicalJson(impliedType(schemaOf(type, isOlder).block), after, after_unknown);
      return [`${type}.${name}`, { action: actions.join(", "), ...(after !== null && { planned }) }];
    }),
  );
}

interface State {
  readonly resources: readonly {
    readonly type: string;
    readonly name: string;
    readonly instances: readonly {
      readonly attributes: unknown;
      readonly deposed?: string;
      readonly status?: string;
    }[];
  }[];
}

function statesIn(folder: string, isOlder: boolean): Outcome["states"] {
  const path = join(folder, "terraform.tfstate");
  if (!existsSync(path)) return new Map();
  const { resources }: State = Object(parsedExactly(readFileSync(path, "utf8")));
  return new Map(
    resources.flatMap(({ type, name, instances }) =>
      instances
        .filter(({ deposed }) => deposed === undefined)
        .map(({ attributes, status }) => {
          const value = canonicalJson(impliedType(schemaOf(type, isOlder).block), attributes);
          return [`${type}.${name}`, status === undefined ? value : { [status]: value }] as const;
        }),
    ),
  );
}
