/** The objects after a run: in the world, and in the state. */
import { fsStoreAt } from "../../../../adapters/fs/index.js";
import type { ResourceRecord } from "../../../../core/contract/index.js";
import { loadFrom } from "../../../helpers/stores/journals.js";
import { resources } from "../fixture/provider.ts";
import { World } from "../fixture/world.ts";
import { placesIn } from "./run.ts";

export interface Thing {
  readonly type: string;
  readonly id: string;
  readonly name: string;
}

export interface Seen {
  readonly things: readonly Thing[];
  readonly records: readonly ResourceRecord[];
  readonly isOpen: boolean;
}

export async function look(folder: string): Promise<Seen> {
  const { world, state } = placesIn(folder);
  const { head, contents } = await loadFrom(fsStoreAt(state));
  return {
    things: thingsIn(new World(world)),
    records: [...contents.records.values()].filter(({ kind }) => kind !== "terraform:Provider"),
    isOpen: head.open !== undefined,
  };
}

function thingsIn(world: World): readonly Thing[] {
  return Object.keys(resources).flatMap((type) =>
    world.all(type).map(({ id, name, title }) => ({ type, id: String(id), name: String(name ?? title) })),
  );
}
