/** A fleet on files whose conductor ends at one of its writes. */
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fsStoreAt } from "../../../adapters/fs/index.js";
import type { StateStore } from "../../../core/contract/index.js";
import { type Fleet, fleet } from "../../../plugins/fleet/index.js";
import { engine, Resource, type Secret } from "../../../plugins/index.js";
import { KEYS } from "../../helpers/apps/under-key.js";
import { storeAround } from "../../helpers/stores/store-around.js";

export interface Order {
  readonly folder: string;
  readonly count: number;
  /** The write at which the process is killed, from 1; 0 for none. */
  readonly kill: number;
  /** Stages whose input differs from that of other processes. */
  readonly changed?: readonly string[];
}

interface Input {
  readonly text: string;
  readonly token?: Secret<string>;
}

const READS: readonly string[] = ["get", "getMany", "list"];

/** Kills this process at one of its writes: an even one before it has taken effect, an odd one after it. */
function killedAt(store: StateStore, kill: number): StateStore {
  let writes = 0;
  return storeAround(store, async ({ op }, act) => {
    if (READS.includes(op)) return act();
    const write = ++writes;
    if (write === kill && kill % 2 === 0) process.kill(process.pid, "SIGKILL");
    const answer = await act();
    if (write === kill) process.kill(process.pid, "SIGKILL");
    return answer;
  });
}

/** Stages are written into `runs.txt` when they begin; their resources are files in `there`. */
export function killedFleet({ folder, count, kill, changed = [] }: Order): Fleet {
  mkdirSync(join(folder, "there"), { recursive: true });
  const Note = Resource<{ readonly path: string }, { readonly path: string; readonly text: string }>(
    "test:KilledNote",
    {
      create({ props }) {
        writeFileSync(props.path, props.text);
        return { path: props.path };
      },
      read: ({ props }) => (props && existsSync(props.path) ? { path: props.path } : undefined),
      update: ({ props }) => {
        writeFileSync(props.path, props.text);
        return { path: props.path };
      },
      delete: () => {},
    },
  );
  return fleet<Input>("killed", {
    *stages() {
      for (let index = 0; index < count; index++) {
        const stage = `t${index}`;
        const text = changed.includes(stage) ? "new" : "old";
        yield { stage, input: index === 7 ? { text, token: engine.secret("s") } : { text } };
      }
    },
    after: (_, stage) => (stage === "t9" ? "t8" : undefined),
    program: async (app, { text }) => {
      appendFileSync(join(folder, "runs.txt"), `${app.stage}\n`);
      await Note("note", { path: join(folder, "there", app.stage), text }, { adopt: true });
    },
    waves: ["20%", "100%"],
    options: { stateStore: killedAt(fsStoreAt(join(folder, "state")), kill), key: KEYS[0], concurrency: 4 },
  });
}
