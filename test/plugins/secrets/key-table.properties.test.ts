import { expect, test } from "vitest";
import { KeyTable } from "../../../plugins/secrets/form-index.js";
import { cases, fc } from "../../helpers/checks/generated.js";

/** Few keys have many owners, and many have one; some share their low bits. */
const key = fc.oneof(
  fc.nat({ max: 5 }),
  fc.nat({ max: 0x3fffffff }),
  fc.nat({ max: 200 }).map((at) => at << 16),
);

test("a table of keys gives what a Map of lists gives, before and after owners have gone", () => {
  fc.assert(
    fc.property(
      fc.array(fc.uniqueArray(key, { maxLength: 12 }), { maxLength: 150 }),
      fc.func(fc.boolean()),
      (owners, stays) => {
        const table = new KeyTable();
        const model = new Map<number, number[]>();
        for (const [owner, keys] of owners.entries()) {
          for (const one of keys) {
            table.add(one, owner);
            model.set(one, [...(model.get(one) ?? []), owner]);
          }
        }
        expect(table.isEmpty).toBe(model.size === 0);
        const left = owners.flatMap((_, owner) => (stays(owner) ? owner : []));
        const after = table.renumbered((owner) => (left.includes(owner) ? left.indexOf(owner) : undefined));
        for (const one of [...model.keys(), 6, 0x3ffffffe]) {
          const expected = model.get(one) ?? [];
          expect(table.has(one)).toBe(expected.length > 0);
          expect([...table.ownersOf(one)].sort((a, b) => a - b)).toEqual(expected);
          const stayed = expected.flatMap((owner) => (left.includes(owner) ? left.indexOf(owner) : []));
          expect([...after.ownersOf(one)].sort((a, b) => a - b)).toEqual(stayed);
        }
      },
    ),
    { numRuns: cases(500) },
  );
});
