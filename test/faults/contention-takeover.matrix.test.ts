/** A dead owner is replaced: at once on its own machine, after its lease elsewhere. */
import { describe, expect, it } from "vitest";
import type { Worker, WorkerOptions } from "./contention-crew.js";
import type { Report } from "./contention-messages.js";
import { contentionStage } from "./contention-stage.js";
import { module } from "./contention-stores.js";

const stage = contentionStage();
/** A lease that lasts longer than any test, so it never expires. */
const LONG = 1_800_000;
const SHORT = 1_500;

interface Replaced {
  readonly heir: Worker;
  /** The first of "locked" and "waiting" that the new owner reports. */
  readonly first: Report["type"];
}

/** Kills an owner while another worker waits for it, or before that one starts. */
async function replaced(owner: WorkerOptions, heir: WorkerOptions, waits: boolean): Promise<Replaced> {
  const place = { module, name: "segments" };
  const [dying, next] = await Promise.all([stage.start(place, owner), stage.start(place, heir)]);
  await dying.hold();
  const begin = async (...types: Report["type"][]): Promise<Report["type"]> => {
    const first = firstOf(next, types);
    next.order({ run: 1 });
    return first;
  };
  if (waits) await begin("waiting");
  const first = waits ? firstOf(next, ["locked"]) : undefined;
  dying.signal("SIGKILL");
  await dying.ended;
  return { heir: next, first: await (first ?? begin("locked", "waiting")) };
}

async function firstOf(worker: Worker, types: readonly Report["type"][]): Promise<Report["type"]> {
  let found: Report["type"] = "ready";
  await worker.reported(({ type }) => {
    if (types.includes(type)) found = type;
    return types.includes(type);
  });
  return found;
}

describe.each([true, false])("a dead owner (others wait already: %s)", (waits) => {
  it("of this machine is replaced at once, however long its lease", async () => {
    expect((await replaced({ ttl: LONG }, { ttl: LONG }, waits)).first).toBe("locked");
  });

  it("of another machine is replaced after its lease, whatever the clocks say", async () => {
    const day = 86_400_000;
    const owner = { machine: "a", ttl: SHORT, clockShift: day };
    const { heir, first } = await replaced(owner, { ttl: LONG, clockShift: -day }, waits);
    if (first === "waiting") expect(await firstOf(heir, ["locked"])).toBe("locked");
    else expect(first).toBe("locked");
  });
});

it("a machine that does not know its own processes waits for a dead owner, as these tests would notice", async () => {
  const { first } = await replaced({ ttl: LONG, machine: "a" }, { ttl: LONG, machine: "b" }, false);
  expect(first).toBe("waiting");
});
