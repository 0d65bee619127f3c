import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fsStoreAt } from "../../../adapters/fs/index.js";
import type { StateStore } from "../../../core/contract/index.js";
import { migrate } from "../../../plugins/admin/operations/index.js";
import { isLong } from "../../helpers/checks/sampling.js";
import { testLedgers, toolSettings } from "../../helpers/stores/ledgers.js";
import { EVERYTHING, foundIn, killedAt, livedStage } from "../../helpers/stores/migrations.js";
import { type RemoteName, remoteStore } from "../../helpers/stores/remote-stores.js";
import { makeTestBucket } from "../../helpers/stores/s3-store.js";
import { putAll, snapshot } from "../../helpers/stores/store-contents.js";
import { describeWithRedis } from "../../servers/given-redis.js";
import { describeWithS3 } from "../../servers/given-s3.js";

const ledgers = testLedgers();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "migrate-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Writes that are followed by a kill: the first one, and the distance between them. */
type Writes = readonly [first: number, step: number];

const each: Writes = [1, 1];
const odd: Writes = isLong ? each : [1, 3];
const even: Writes = isLong ? each : [2, 3];

const files = (): StateStore => fsStoreAt(join(folder, randomUUID()));
const remote = (name: RemoteName) => (): StateStore => remoteStore(name, `migrate-${randomUUID()}`);

describe("files, then other files", () => killedEverywhere(files, files));
describeWithS3("files, then a bucket", () => {
  beforeAll(() => makeTestBucket());
  killedEverywhere(files, remote("s3"), odd);
  killedEverywhere(remote("s3"), files, even);
});
describeWithRedis("files, then Redis", () => {
  killedEverywhere(files, remote("redis"), even);
  killedEverywhere(remote("redis"), files, odd);
});

function killedEverywhere(makeOld: () => StateStore, makeNew: () => StateStore, [first, step]: Writes = each): void {
  it("leaves one stage to be used, or is finished by being done again, wherever it is killed", async () => {
    const start = await snapshot(await livedStage(ledgers, true));
    for (let write = first, goesOn = true; goesOn; write += step) {
      const stores = { from: makeOld(), to: makeNew() };
      await putAll(stores.from, start);
      ({ wasReached: goesOn } = await killedAt(ledgers, stores, write, "after"));
      const [old, next] = [await foundIn(stores.from), await foundIn(stores.to)];
      const allowed = [`${EVERYTHING} `, `${EVERYTHING} STATE_INCOMPLETE`, "STATE_RETIRED STATE_INCOMPLETE"];
      expect([...allowed, `STATE_RETIRED ${EVERYTHING}`], `write ${write}`).toContain(`${old} ${next}`);
      await migrate(toolSettings(stores.from), { to: stores.to });
      expect([await foundIn(stores.from), await foundIn(stores.to)]).toEqual(["STATE_RETIRED", EVERYTHING]);
      for (const store of [stores.from, stores.to]) await store.close?.();
    }
  }, 300_000);
}
