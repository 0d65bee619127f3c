import { expect, test } from "vitest";
import {
  conform,
  fingerprint,
  isEqual,
  isWhollyKnown,
  Unknown,
  valueAt,
  walk,
} from "../../../../plugins/terraform/cty/index.js";
import {
  configOf,
  emptyValue,
  impliedType,
  namesOf,
  type OwnTypes,
  ownTypes,
  propsOf,
  stateOf,
} from "../../../../plugins/terraform/schema/index.js";
import { cases, fc } from "../../../helpers/checks/generated.js";
import { anyOf, blocks, configs, ctyType, filled } from "../schemas.js";

const numRuns = cases(500);
const blockAndConfig = blocks().chain((block) => fc.tuple(fc.constant(block), configs(block)));
const typeAndValues = ctyType.chain((type) => fc.tuple(fc.constant(type), anyOf(type), anyOf(type)));

test("a configuration goes to a program's props and comes back the same", () => {
  fc.assert(
    fc.property(blockAndConfig, ([block, config]) => {
      const { value, problems } = configOf(block, propsOf(block, config));
      expect(problems).toEqual([]);
      expect(isEqual(impliedType(block), value, config)).toBe(true);
    }),
    { numRuns },
  );
});

test("a state goes to an output and comes back the same, types that it tells itself included", () => {
  fc.assert(
    fc.property(blockAndConfig, ([block, config]) => {
      const state = filled(block, config);
      const recorded: unknown = JSON.parse(JSON.stringify(ownTypes(block, state)));
      const back = stateOf(block, propsOf(block, state), recorded as OwnTypes);
      expect(isEqual(impliedType(block), back, state)).toBe(true);
    }),
    { numRuns },
  );
});

test("a value of a schema conforms to its implied type as it is", () => {
  fc.assert(
    fc.property(blockAndConfig, ([block, config]) => {
      for (const value of [config, filled(block, config), emptyValue(block)]) {
        const conformed = conform(impliedType(block), value);
        expect(conformed.problems).toEqual([]);
        expect(isEqual(impliedType(block), conformed.value, value)).toBe(true);
      }
    }),
    { numRuns },
  );
});

test("names go to the program and back without loss, and none is given twice", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.stringMatching(/^[a-zA-Z_][a-zA-Z0-9_]{0,5}$/), { maxLength: 12 }), (all) => {
      const { toProgram, toProvider } = namesOf(Object.fromEntries(all.map((name) => [name, "string" as const])));
      expect(all.map((name) => toProvider.get(toProgram.get(name) ?? ""))).toEqual(all);
      expect(toProvider.size).toBe(all.length);
    }),
    { numRuns },
  );
});

test("equality holds of a value and itself, both ways round, of no value and an unknown one, and of fingerprints", () => {
  fc.assert(
    fc.property(typeAndValues, ([type, a, b]) => {
      expect(isEqual(type, a, a)).toBe(true);
      expect(isEqual(type, a, b)).toBe(isEqual(type, b, a));
      expect(isEqual(type, a, new Unknown())).toBe(false);
      expect(isEqual(type, a, null)).toBe(false);
      expect(fingerprint(type, a) === fingerprint(type, b)).toBe(isEqual(type, a, b));
      expect(conform(type, a)).toMatchObject({ problems: [] });
    }),
    { numRuns },
  );
});

test("a walk comes to each part by the path that leads to it", () => {
  fc.assert(
    fc.property(blockAndConfig, ([block, config]) => {
      expect(isWhollyKnown(config)).toBe(true);
      walk(impliedType(block), config, (path, value) => {
        expect(valueAt(config, path)).toBe(value);
        return true;
      });
    }),
    { numRuns },
  );
});
