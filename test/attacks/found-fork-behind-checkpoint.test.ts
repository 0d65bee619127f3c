import { expect, test } from "vitest";
import { bodyOf, keys, linesOf } from "./forging.ts";
import { refusalOf } from "./stages.ts";
import { type Values, victim } from "./victim.ts";

/**
 * Entry 4 is a session that was killed, 5 the `open` of one that took over, and the first line of 6 says where 4 ends
 * (`settled`). In the fork, 4 is another session, with a checkpoint of its own.
 */
test.each([
  ["as it was", (own: string) => own],
  ["as in the fork", (_own: string, fork: string) => fork],
  [
    "as in the fork, with the line that is asked for among the others",
    (own: string, fork: string, asked: string) => {
      const lines = linesOf(fork);
      lines[1] = linesOf(own).find((line) => line.includes(asked)) ?? "";
      return lines.join("");
    },
  ],
])(
  "a session that took over does not follow a checkpoint of another fork, with the entry before %s",
  async (_how, entry) => {
    const sound = await victim();
    const [, fork = new Map<string, string>()]: readonly Values[] = sound.forks;
    const values = new Map(sound.snapshots[2]);
    const text = (from: Values, key: string): string => from.get(key) ?? "";
    for (const key of values.keys()) if (!key.startsWith(keys.entries)) values.delete(key);
    const { prev } = bodyOf(linesOf(text(values, keys.entry(5)))[0] ?? "");
    values.set(keys.entry(4), entry(text(values, keys.entry(4)), text(fork, keys.entry(4)), `{"digest":"${prev}"`));
    values.set(keys.checkpoint(4), text(fork, keys.checkpoint(4)));

    const stage = sound.on(await sound.store(values));
    const refused = await refusalOf(sound.world, () => stage.up(() => {}, { ...sound.opener, phase: "destroy" }));
    expect(refused).toMatch(/^EngineError STATE_(FORGED|CORRUPT) /);
  },
);
