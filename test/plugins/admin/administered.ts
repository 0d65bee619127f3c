/**
 * A stage with all kinds of records, in a store of either kind, and admins that count how often their store is opened
 * and closed.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";
import { fsStore } from "../../../adapters/fs/index.js";
import { memoryStore } from "../../../adapters/memory/index.js";
import type { StateStore, StateStoreOption, StoreContext } from "../../../core/contract/index.js";
import { type StageAdmin, type StageAdminOptions, stageAdmin } from "../../../plugins/admin/index.js";
import { Secret } from "../../../plugins/secrets/secret.js";
import { PASSWORD, secretStage } from "../../helpers/apps/secret-stage.js";
import type { Stage } from "../../helpers/apps/stage.js";
import { World } from "../../helpers/apps/world.js";

export type Kind = "files" | "memory";
export const KINDS: readonly Kind[] = ["files", "memory"];

const context: StoreContext = { appName: "app", stage: "dev", rootDir: "/", profile: undefined, warn() {} };

export interface Administered {
  readonly rootDir: string;
  readonly store: StateStore;
  readonly world: World;
  readonly stage: Stage;
  readonly Thing: ReturnType<World["type"]>;
  /** Counts for the store that an admin was given as a function. */
  readonly made: { opened: number; closed: number };
  /** Creates an admin with a function that makes the store. */
  admin(options?: Partial<StageAdminOptions>, store?: StateStoreOption): StageAdmin;
}

/** Closes and removes the created admins and stores after the test. */
export function administered(): (kind: Kind, password?: string) => Promise<Administered> {
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });
  return async (kind, password = PASSWORD) => {
    const rootDir = await mkdtemp(join(tmpdir(), "admin-"));
    ends.push(() => rm(rootDir, { recursive: true, force: true }));
    const make = (): StateStore => fsStore({ root: join(rootDir, "state") })(context);
    const memory = memoryStore();
    const store = kind === "files" ? make() : memory;
    ends.push(async () => store.close?.());
    const made = { opened: 0, closed: 0 };
    const option = (): StateStore => {
      made.opened++;
      const own = kind === "files" ? make() : memory;
      const close = async (): Promise<void> => {
        made.closed++;
        await own.close?.();
      };
      return { ...own, close };
    };
    const world = new World();
    return {
      rootDir,
      store,
      world,
      stage: secretStage({ stateStore: store, rootDir, password }),
      Thing: world.type(),
      made,
      admin(options = {}, given = option) {
        const admin = stageAdmin(given, { app: "app", stage: "dev", rootDir, env: {}, ...options });
        ends.push(() => admin.close());
        return admin;
      },
    };
  };
}

/** Declares a protected resource with a secret, and a scope with two resources that refer to it. */
export async function filled({ stage, Thing }: Administered): Promise<void> {
  await stage.up(async () => {
    const db = await Thing("db", { value: new Secret("hush") }, { protect: true });
    await stage.engine.run("web", async (scope) => {
      await scope.set("port", 80);
      await Thing("page", { uses: db });
      await Thing("logo");
    });
  });
}
