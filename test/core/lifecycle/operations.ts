/** Cost of each operation on n resources: store requests and bytes, and handler calls. */
import type { StateStore } from "../../../core/contract/index.js";
import { Stage } from "../../helpers/apps/stage.js";
import { type Props, World } from "../../helpers/apps/world.js";
import { observed } from "../../helpers/stores/observed-store.js";

export const OPERATIONS = ["create", "unchanged", "update", "replace", "destroy"] as const;
export type Operation = (typeof OPERATIONS)[number];
export type Way = "in sequence" | "at once";

/** Cost of an operation for each resource; for one that changes nothing, cost of the whole run. */
export interface Cost {
  readonly requests: number;
  readonly writes: number;
  readonly bytes: number;
  readonly calls: number;
}

/** Runs every operation on n resources, one after the other. */
export async function costsOf(inner: StateStore, way: Way, n: number): Promise<Record<Operation, Cost>> {
  const world = new World();
  const Thing = world.type({ replaceOn: ["name"] });
  const { store, requests } = observed(inner);
  const stage = new Stage({ stateStore: store });
  const ids = Array.from({ length: n }, (_, at) => `r${String(at).padStart(5, "0")}`);
  const up = (props: Props) => async (): Promise<Cost> => {
    await stage.up(async () => {
      if (way === "at once") await Promise.all(ids.map((id) => Thing(id, props)));
      else for (const id of ids) await Thing(id, props);
    });
    return costFor(n);
  };
  const costFor = (count: number): Cost => {
    const { besideTail, writes, bytes } = requests;
    requests.clear();
    const calls = world.news().length;
    return { requests: besideTail / count, writes: writes / count, bytes: bytes / count, calls: calls / count };
  };
  const create = await up({ value: 1, name: "a" })();
  await stage.up(() => Promise.all(ids.map((id) => Thing(id, { value: 1, name: "a" }))));
  const unchanged = costFor(1);
  const update = await up({ value: 2, name: "a" })();
  const replace = await up({ value: 2, name: "b" })();
  await stage.up(() => {}, { phase: "destroy" });
  return { create, unchanged, update, replace, destroy: costFor(n) };
}
