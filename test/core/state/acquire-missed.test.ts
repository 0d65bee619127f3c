/** What a run that waits for a session has missed: others go on between its load and its first look. */
import { expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { identity, NOTHING_DONE } from "../../../core/base/index.js";
import { createEventBus } from "../../../core/plugin/index.js";
import { keysOf, ownerOf, testLedgers } from "../../helpers/stores/ledgers.js";
import { fakeClock } from "../../helpers/time/fake-clock.js";

const ledgers = testLedgers();

it.each([
  ["has ended", true, 0],
  ["has ended", false, 0],
  ["has ended, and others have trimmed its entry and the next one,", true, 8],
  ["has ended, and others have trimmed its entry and the next one,", false, 8],
])("a session that %s before the first look is waited for no longer (a store that appends: %s)", async (...given) => {
  const [, append, others] = given;
  const store = memoryStore({ append });
  const owner = await ledgers.run(store, { owner: ownerOf(identity()) });
  await owner.put("a");
  const goOn = async (): Promise<void> => {
    await owner.ledger.close("done", NOTHING_DONE);
    for (let n = 0; n < others; n++) {
      const other = await ledgers.run(store);
      await other.put(`other-${n}`);
      await other.ledger.close("done", NOTHING_DONE);
    }
  };
  const events = createEventBus();
  let meanwhile: Promise<void> | undefined;
  let isWaiting = false;
  events.source.on("state:waiting", () => {
    isWaiting = true;
  });
  const missed = async (): Promise<void> => {
    if (isWaiting) meanwhile ??= goOn();
    await meanwhile;
  };
  const late = Object.assign(Object.create(store), {
    get: (key: string) => missed().then(() => store.get(key)),
  });
  const clock = fakeClock();
  const started = clock.now();
  const run = await ledgers.run(late, { clock, events, lockTimeout: 60_000 });
  expect(clock.now() - started).toBeLessThan(1_000);
  expect(keysOf(run.ledger)).toHaveLength(1 + others);
});
