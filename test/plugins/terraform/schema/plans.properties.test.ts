import { expect, test } from "vitest";
import {
  type CtyType,
  type CtyValue,
  isEqual,
  isNull,
  memberOf,
  type Path,
  valueAt,
  walk,
} from "../../../../plugins/terraform/cty/index.js";
import {
  type Block,
  differences,
  impliedType,
  normalized,
  planViolations,
  proposedNew,
  resultViolations,
} from "../../../../plugins/terraform/schema/index.js";
import { cases, fc } from "../../../helpers/checks/generated.js";
import { blocks, configs, filled } from "../schemas.js";

const numRuns = cases(500);

/** A block, and two configurations of it. */
function twoConfigs(limits: Parameters<typeof blocks>[0] = {}) {
  return blocks(limits).chain((block) => fc.tuple(fc.constant(block), configs(block), configs(block)));
}

test("what is proposed is the prior state where nothing has changed", () => {
  fc.assert(
    fc.property(twoConfigs({ computedInSets: false }), ([block, config]) => {
      const prior = filled(block, config);
      expect(isEqual(impliedType(block), proposedNew(block, prior, config), prior)).toBe(true);
    }),
    { numRuns },
  );
});

test("what is proposed has all that is configured, whatever there was before", () => {
  fc.assert(
    fc.property(twoConfigs(), ([block, before, config]) => {
      const proposed = proposedNew(block, filled(block, before), config);
      for (const [path, value] of configuredLeaves(block, config)) expect(valueAt(proposed, path)).toEqual(value);
    }),
    { numRuns },
  );
});

/** Configured values outside of sets, whose elements have no path. */
function configuredLeaves(block: Block, config: CtyValue): [Path, CtyValue][] {
  const found: [Path, CtyValue][] = [];
  walk(impliedType(block), config, (path, value, type) => {
    const isLeaf = isSingle(type) && !isNull(value) && valueAt(config, path) === value;
    if (isLeaf && type !== "dynamic") found.push([path, value]);
    return typeof type === "string" ? type !== "dynamic" : type[0] !== "set";
  });
  return found;
}

function isSingle(type: CtyType): boolean {
  return typeof type === "string" || (type[0] === "set" && typeof type[1] === "string");
}

test("what is proposed is a plan that nothing is to be said against, filled in or not", () => {
  fc.assert(
    fc.property(twoConfigs({ computedInSets: false }), ([block, before, config]) => {
      const prior = filled(block, before);
      const proposed = proposedNew(block, prior, config);
      expect(planViolations(block, prior, config, proposed)).toEqual([]);
      expect(planViolations(block, prior, config, filled(block, proposed))).toEqual([]);
      expect(planViolations(block, null, config, filled(block, config))).toEqual([]);
    }),
    { numRuns },
  );
});

test("a plan whose configured attributes are changed is refused", () => {
  fc.assert(
    fc.property(twoConfigs(), ([block, _before, config]) => {
      for (const [name, { computed, type }] of Object.entries(block.attributes)) {
        if (computed || type === "dynamic" || isNull(memberOf(config, name))) continue;
        const planned = { ...Object(config), [name]: null };
        expect(planViolations(block, null, config, planned).map(({ path }) => path[0])).toEqual([name]);
      }
    }),
    { numRuns },
  );
});

test("a result that is as planned is one that nothing is to be said against, and another one is not", () => {
  fc.assert(
    fc.property(twoConfigs({ dynamic: false }), ([block, one, other]) => {
      const [planned, actual] = [filled(block, one), filled(block, other)];
      expect(resultViolations(block, planned, planned)).toEqual([]);
      expect(normalized(block, planned)).toEqual(planned);
      if (!isEqual(impliedType(block), planned, actual))
        expect(resultViolations(block, planned, actual)).not.toEqual([]);
    }),
    { numRuns },
  );
});

test("there are differences where two values are not equal, and only there", () => {
  fc.assert(
    fc.property(twoConfigs(), ([block, before, after]) => {
      expect(differences(block, before, before)).toEqual([]);
      expect(differences(block, before, after).length === 0).toBe(isEqual(impliedType(block), before, after));
    }),
    { numRuns },
  );
});
