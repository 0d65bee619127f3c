/** Moves a stage from one kind of store to another, with processes that are killed, lose replies, or are overtaken. */
import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { isEngineError } from "../../../core/base/index.js";
import type { StateStore } from "../../../core/contract/index.js";
import { loadAsIs } from "../../../core/state/index.js";
import { migrate } from "../../../plugins/admin/operations/index.js";
import { verify } from "../../../plugins/admin/operations/verify/verify.js";
import { keys } from "../../helpers/stores/journals.js";
import { testLedgers, toolSettings } from "../../helpers/stores/ledgers.js";
import { copyOf, doomed, EVERYTHING, foundIn, killedAt, livedStage } from "../../helpers/stores/migrations.js";
import { storeAround } from "../../helpers/stores/store-around.js";
import { snapshot } from "../../helpers/stores/store-contents.js";

const ledgers = testLedgers();
const place = { keys, app: "app", stage: "dev", keep: 3 };

/** Whether each store has segments. */
export interface Kinds {
  readonly from: boolean;
  readonly to: boolean;
}

export function movesAsOne(...all: readonly Kinds[]): void {
  describe.each(all)("moving a stage (segments: $from, then $to)", moves);
}

function moves(kinds: Kinds): void {
  const empty = () => memoryStore({ append: kinds.to, name: "new" });

  it("leaves one stage to be used, or is finished by being done again, wherever it is killed", async () => {
    const start = await livedStage(ledgers, kinds.from);
    const found = new Set<string>();
    for (const edge of ["before", "after"] as const) {
      for (let write = 1, goesOn = true; goesOn; write++) {
        for (const isUsedMeanwhile of [false, true]) {
          const stores = { from: await copyOf(start, kinds.from), to: empty() };
          ({ wasReached: goesOn } = await killedAt(ledgers, stores, write, edge));
          const [old, next] = [await foundIn(stores.from), await foundIn(stores.to)];
          const at = `${edge} write ${write}`;
          found.add(`${typeof old === "string" ? old : "old"} ${describeNew(next)}`);
          if (typeof old === "string")
            expect([old, next === "STATE_INCOMPLETE" || next.length], at).toEqual([
              "STATE_RETIRED",
              next === "STATE_INCOMPLETE" || EVERYTHING.length,
            ]);
          else
            expect([old, ["STATE_INCOMPLETE", ""]], at).toEqual([EVERYTHING, expect.arrayContaining([String(next)])]);
          const isOld = typeof old !== "string" && isUsedMeanwhile;
          for (const name of isOld ? ["h", "i", "j", "k"] : []) {
            await ledgers.ran(stores.from, name);
          }
          await migrate(toolSettings(stores.from), { to: stores.to });
          const all = isOld ? [...EVERYTHING, "h", "i", "j", "k"] : EVERYTHING;
          expect([await foundIn(stores.from), await foundIn(stores.to)], at).toEqual(["STATE_RETIRED", all]);
          const { findings } = await verify({ ...place, rootDir: ledgers.rootDir, store: stores.to });
          expect(findings, at).toEqual([]);
          const after = await snapshot(stores.to);
          const again = await migrate(toolSettings(stores.from), { to: stores.to });
          expect([again.wasCopied, await snapshot(stores.to)], at).toEqual([true, after]);
        }
      }
    }
    expect([...found].sort()).toEqual([
      "STATE_RETIRED STATE_INCOMPLETE",
      "STATE_RETIRED used",
      "old STATE_INCOMPLETE",
      "old empty",
    ]);
  }, 120_000);

  it("goes on with what it left long ago, wherever that is killed in its turn", async () => {
    const [start, half] = [await livedStage(ledgers, kinds.from), empty()];
    // Only the end of the old stage was missing.
    for (let write = 1; (await arrivedIn(half)) !== EVERYTHING.length; write++) {
      await killedAt(ledgers, { from: start, to: half }, write, "before");
    }
    const more = ["h", "i", "j", "k"];
    for (const name of more) await ledgers.ran(start, name);
    for (let write = 1, goesOn = true; goesOn; write++) {
      const stores = { from: await copyOf(start, kinds.from), to: await copyOf(half, kinds.to) };
      ({ wasReached: goesOn } = await killedAt(ledgers, stores, write, "after"));
      const [old, next] = [await foundIn(stores.from), await foundIn(stores.to)];
      const all = [...EVERYTHING, ...more];
      const allowed = goesOn ? [`${all} STATE_INCOMPLETE`, "STATE_RETIRED STATE_INCOMPLETE"] : [];
      expect([...allowed, `STATE_RETIRED ${all}`], `write ${write}`).toContain(`${old} ${next}`);
      await migrate(toolSettings(stores.from), { to: stores.to });
      expect([await foundIn(stores.from), await foundIn(stores.to)], `write ${write}`).toEqual(["STATE_RETIRED", all]);
      const { findings } = await verify({ ...place, rootDir: ledgers.rootDir, store: stores.to });
      expect(findings, `write ${write}`).toEqual([]);
    }
  }, 60_000);

  it("leaves one stage to be used, and that not locked, wherever a reply is lost", async () => {
    const start = await livedStage(ledgers, kinds.from);
    for (let write = 1, goesOn = true; goesOn; write++) {
      const stores = { from: await copyOf(start, kinds.from), to: empty() };
      ({ wasReached: goesOn } = await killedAt(ledgers, stores, write, "reply lost"));
      const [old, next] = [await foundIn(stores.from), await foundIn(stores.to)];
      const at = `write ${write}`;
      expect(old, at).toEqual(typeof old === "string" ? "STATE_RETIRED" : EVERYTHING);
      if (typeof old !== "string") expect(["STATE_INCOMPLETE", ""], at).toContain(String(next));
      // Its process is alive: this would be refused if it still held the stage.
      await migrate(toolSettings(stores.from), { to: stores.to });
      expect([await foundIn(stores.from), await foundIn(stores.to)], at).toEqual(["STATE_RETIRED", EVERYTHING]);
    }
  }, 60_000);

  it("keeps out a run that found the new store empty, or is kept out by it, whenever that writes first", async () => {
    const start = await livedStage(ledgers, kinds.from);
    let moments = 0;
    for (let moment = 1, goesOn = true; goesOn; moment++) {
      const [old, next] = [await copyOf(start, kinds.from), empty()];
      const early = await ledgers.run(next, { owner: toolSettings(next).owner });
      let outcome: unknown;
      const slow = beforeWrite(next, moment, async () => {
        outcome = await early.put("x").then(() => "written", codeIn);
      });
      const moved = await migrate(toolSettings(old), { to: slow }).catch(codeIn);
      goesOn = outcome !== undefined;
      if (!goesOn) break;
      moments = moment;
      const isFirst = moment === 1;
      expect([outcome, moved], `moment ${moment}`).toEqual(
        isFirst ? ["written", "STATE_EXISTS"] : ["STATE_INCOMPLETE", expect.objectContaining({ wasCopied: false })],
      );
      expect([await foundIn(old), await foundIn(next)], `moment ${moment}`).toEqual(
        isFirst ? [EVERYTHING, ["x"]] : ["STATE_RETIRED", EVERYTHING],
      );
      await early.ledger.abandon();
    }
    expect(moments).toBeGreaterThan(5);
  });

  it("is finished by another one that pushed it out, and what the paused one still writes does no harm", async () => {
    const start = await livedStage(ledgers, kinds.from);
    for (let pause = 1, goesOn = true; goesOn; pause++) {
      const [old, next] = [await copyOf(start, kinds.from), empty()];
      let second: Promise<unknown> | undefined;
      const slow = beforeWrite(next, pause, async () => {
        second = migrate(toolSettings(old), { to: next });
        await second;
        await ledgers.ran(next, "h");
      });
      const first = await migrate(doomed(old, ledgers), { to: slow }).catch((error: unknown) => error);
      goesOn = second !== undefined;
      if (!goesOn) break;
      expect(first, `paused at ${pause}`).toBeDefined();
      expect([await foundIn(old), await foundIn(next)], `paused at ${pause}`).toEqual([
        "STATE_RETIRED",
        [...EVERYTHING, "h"],
      ]);
      await ledgers.ran(next, "i");
      expect(await foundIn(next), `paused at ${pause}`).toEqual([...EVERYTHING, "h", "i"]);
    }
  }, 60_000);
}

/** A store that runs `then` before its nth write. */
function beforeWrite(inner: StateStore, write: number, then: () => Promise<void>): StateStore {
  let passed = 0;
  return storeAround(inner, async ({ op }, act) => {
    if (["create", "set", "deleteMany"].includes(op) && ++passed === write) await then();
    return act();
  });
}

function codeIn(error: unknown): unknown {
  return isEngineError(error) ? error.code : error;
}

/** Number of resources that the stage would have if it were in use. */
async function arrivedIn(store: StateStore): Promise<number> {
  return (await loadAsIs({ ...place, store })).contents.records.size;
}

function describeNew(found: readonly string[] | string): string {
  if (typeof found === "string") return found;
  return found.length === 0 ? "empty" : "used";
}
