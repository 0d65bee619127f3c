import { type CtyValue, isEqual, isList, isNull, type Path, type Problem, Unknown } from "../cty/index.js";
import {
  attributesViolations,
  elementOfAll,
  keyViolations,
  memberOfAll,
  type Planned,
  presenceViolations,
} from "./attribute-violations.js";
import { typeOfBlocks } from "./implied-type.js";
import { blocksOf, type Level } from "./level.js";
import { openBlocks } from "./nested-values.js";
import type { Block, NestedBlock } from "./schema.js";

/**
 * Where a provider's plan is none for the configuration: it may choose only what is computed and not configured. It may keep the
 * prior value of anything, as one that means the same.
 */
export function planViolations(block: Block, prior: CtyValue, config: CtyValue, planned: CtyValue): readonly Problem[] {
  return blockViolations(block, { prior, config, planned }, []);
}

function blockViolations(level: Level, at: Planned, path: Path): readonly Problem[] {
  const presence = presenceViolations(at, path);
  if (presence.length > 0 || isNull(at.planned)) return presence;
  const blocks = blocksOf(level).flatMap(([name, nested]) =>
    blocksViolations(nested, memberOfAll(at, name), [...path, name]),
  );
  return [...attributesViolations(level, at, path), ...blocks];
}

function blocksViolations(nested: NestedBlock, at: Planned, path: Path): readonly Problem[] {
  const { config, planned } = at;
  if (isEqual(typeOfBlocks(nested), planned, config)) return [];
  if (config instanceof Unknown)
    return [{ path, message: "is planned, but it is not known yet which blocks there are." }];
  if (planned instanceof Unknown)
    return [{ path, message: "is planned as unknown, which only what is in a block can be." }];
  const { nesting, block } = nested;
  if (nesting === "single" || nesting === "group") return blockViolations(block, at, path);
  if (isNull(planned)) return [{ path, message: "is planned as null, but where there are no blocks it is empty." }];
  const opened = {
    prior: openBlocks(nested, at.prior),
    config: openBlocks(nested, config),
    planned: openBlocks(nested, planned),
  };
  if (nesting === "list") return listViolations(block, opened, path);
  if (nesting === "map") return keyViolations(opened, path, (member, key) => elementViolations(block, member, key));
  return setViolations(opened.planned, path);
}

function listViolations(level: Level, at: Planned, path: Path): readonly Problem[] {
  const [planned, given] = [isList(at.planned) ? at.planned.length : 0, isList(at.config) ? at.config.length : 0];
  if (planned !== given) return [{ path, message: `is planned with ${planned} blocks, but configured with ${given}.` }];
  return Array.from({ length: planned }, (_element, key) =>
    elementViolations(level, elementOfAll(at, key), [...path, { element: "number", key }]),
  ).flat();
}

function elementViolations(level: Level, at: Planned, path: Path): readonly Problem[] {
  return at.planned instanceof Unknown ? [unknownBlock(path)] : blockViolations(level, at, path);
}

function unknownBlock(path: Path): Problem {
  return { path, message: "is a block planned as unknown, which only what is in it can be." };
}

/** Elements of a set have nothing to tell them by, so that what a provider made of them is taken as it is. */
function setViolations(planned: CtyValue, path: Path): readonly Problem[] {
  const elements = isList(planned) ? planned : [];
  return elements.flatMap((element, key) =>
    element instanceof Unknown ? [unknownBlock([...path, { element: "number", key }])] : [],
  );
}
