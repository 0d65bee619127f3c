/** Programs that throw an uncaught error in the microtask after a handler has begun, taken effect or replied. */
import { rm } from "node:fs/promises";
import { expect, test } from "vitest";
import { sampled } from "../helpers/checks/sampling.js";
import { contentAfter, damageIn, flawsOf, inCopy, newFolder } from "./aftermath.js";
import { doom, pointsOf } from "./doomed.js";
import { twoAtOnce } from "./matrix.js";
import { drained } from "./oracles.js";
import { places } from "./places/fs.js";
import { look } from "./seen.js";

const isHandler = (point: string): boolean => /^(create|update|delete) /.test(point);

/**
 * @param programs names of programs; each is run again for each of its points
 * @param count of points; all in long runs
 */
export function losesNothing(programs: readonly string[], count = 6): void {
  test.each([...programs])(
    "an error in the midst of “%s” ends the process, with all results recorded and nothing lost",
    { timeout: 600_000 },
    async (name) => {
      const start = await newFolder();
      const here = { places: places.name };
      const points = await inCopy(places, start, (folder) => pointsOf({ ...here, folder, order: { program: name } }));
      const chosen = [...points.keys()].filter((at) => isHandler(points[at] ?? ""));
      const expected = await contentAfter(places, name);
      const flaws: string[] = [];
      await twoAtOnce(sampled(chosen, count, name), (at) =>
        inCopy(places, start, async (folder) => {
          const order = { program: name, doom: { at, ending: "throws" } } as const;
          const { point, code, stderr } = await doom({ ...here, folder, order });
          expect({ point, code, stderr }).toEqual({
            point: points[at],
            code: 1,
            stderr: expect.stringContaining("after "),
          });
          const tell = (found: readonly string[]): void => void flaws.push(...found.map((flaw) => `${point}: ${flaw}`));
          tell(await damageIn(places, folder, name));
          tell(drained(await look(places, folder)));
          tell(await flawsOf({ places, folder, program: name, settings: "usual", expected }));
        }),
      );
      await rm(start, { recursive: true });
      expect(flaws).toEqual([]);
    },
  );
}
