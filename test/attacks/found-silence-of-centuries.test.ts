import { describe, expect, test } from "vitest";
import { memoryStore } from "../../adapters/memory/index.js";
import { createEngine } from "../../plugins/engine/index.js";
import { codeOf, rejectedCode } from "../helpers/checks/codes.ts";
import { keysOf, testLedgers } from "../helpers/stores/ledgers.ts";
import { openRecord } from "../helpers/terminal/lines.ts";
import { fakeClock } from "../helpers/time/fake-clock.ts";
import { forgeEntry, keys } from "./forging.ts";
import { refusalOf, sealedStage } from "./stages.ts";

const ledgers = testLedgers();
const DEFAULT = 20_000;
const HOUR = 3_600_000;

/** An `open` of a session on another machine, which stays silent for ever. */
const openSaying = (ttl: unknown) => ({ open: { ...openRecord(), ttl } });

/** The `ttl` of an `open` was taken as written (`watch` in lease.ts). */
describe.each([true, false])("an open session that was never opened (append: %s)", (append) => {
  test.each<[unknown, number]>([
    [1e308, HOUR],
    [Number.MAX_SAFE_INTEGER, HOUR],
    [HOUR + 1, HOUR],
    [HOUR, HOUR],
    ["1e308", DEFAULT],
    ["NaN", DEFAULT],
    [null, DEFAULT],
    [-1, DEFAULT],
    [0, DEFAULT],
    [[3], DEFAULT],
    [true, DEFAULT],
    [undefined, DEFAULT],
  ])("and whose ttl is %j is waited for as if a run had, and no longer", async (ttl, waits) => {
    const store = memoryStore({ append });
    const earlier = await ledgers.run(store);
    await earlier.put("a");
    await earlier.close();
    await forgeEntry(store, openSaying(ttl));
    const clock = fakeClock();
    const began = clock.now();
    const run = await ledgers.run(store, { clock });
    expect(clock.now() - began).toBe(waits);
    await run.put("b");
    expect(keysOf(run.ledger)).toEqual(["a", "b"]);
  });
});

test("the message names the silence of a session that the run waits for", async () => {
  const store = memoryStore();
  const earlier = await ledgers.run(store);
  await earlier.put("a");
  await earlier.close();
  await forgeEntry(store, openSaying(1e300));
  const clock = fakeClock();
  clock.onWake = (now) => store.set(keys.lease("s"), String(now));
  const [code, message] = await rejectedCode(ledgers.run(store, { clock }));
  expect([code, message]).toEqual(["STATE_LOCKED", expect.stringContaining("silent for 3600 s")]);
});

/**
 * Such a run may not write, whether or not a session is running. So it need not wait, least of all for an unproven one.
 */
test.each([{}, { phase: "destroy" }] as const)(
  "a run without the key of a sealed stage waits for no session that is open there (%j)",
  async (options) => {
    const { world, Thing, stage, store } = await sealedStage();
    await forgeEntry(store, openSaying(HOUR));
    const refused = await refusalOf(world, () => stage.up(() => Thing("b", {}), { ...options, password: undefined }));
    expect(refused).toMatch(/^EngineError PASSWORD_REQUIRED /);
    expect(stage.heard("state:waiting")).toEqual([]);
  },
);

test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, HOUR + 1])("an engine takes no leaseTtl of %d", (leaseTtl) => {
  expect(codeOf(() => createEngine({ leaseTtl }))).toEqual(["INVALID_OPTION", expect.stringContaining("leaseTtl")]);
});
