/** Random configurations and their changes, all from a seed. */
import { type CtyValue, Dynamic, isList, isRecord, sameType } from "../../../../plugins/terraform/cty/index.js";
import type { Block } from "../../../../plugins/terraform/schema/index.js";
import { Random } from "../../../attacks/random.ts";
import { fc } from "../../../helpers/checks/generated.ts";
import type { CtyRecord } from "../fixture/kind.ts";
import { resources } from "../fixture/provider.ts";
import { versionedBefore } from "../fixture/types/states.ts";
import { configs } from "../schemas.ts";
import {
  type Declared,
  type Drift,
  type LookedUp,
  reference,
  type Step,
  TAG_OF,
  tagsIn,
  withReferences,
} from "./configuration.ts";

/** The types of a batch. Earlier seeds keep their types, because chosen situations depend on them. */
export function typesOf(seed: number): readonly string[] {
  const older = Object.keys(TAG_OF).filter((type) => type !== "fixture_sdk");
  return seed <= 100 ? [...older, "fixture_behaviour"] : [...older, "fixture_sdk", "fixture_sdk", "fixture_sdk"];
}

/** Versions of a group of resources, one for each step. */
export type Group = readonly Pick<Step, "declared" | "lookups" | "drift">[];

interface Settings {
  readonly types: readonly string[];
  readonly protocol: "5" | "6";
  readonly steps: readonly {
    /** Reads the real objects first. */
    readonly isRefreshed: boolean;
    /**
     * Some creates and updates fail. The configuration then removes nothing, because a failed run of the engine does
     * not prune.
     */
    readonly isFailing: boolean;
  }[];
}

/** @param prefix of its tags, e.g. `g1` */
export function randomGroup(seed: number, prefix: string, settings: Settings): Group {
  return new GroupMaker(new Random(seed), prefix, settings).steps(settings.steps);
}

class GroupMaker {
  readonly #random: Random;
  readonly #prefix: string;
  readonly #types: readonly string[];
  readonly #mayCreateFirst: boolean;
  #count = 0;

  constructor(random: Random, prefix: string, { protocol, steps, types }: Settings) {
    this.#random = random;
    this.#prefix = prefix;
    // The engine deletes replaced copies only after a run without failure.
    this.#mayCreateFirst = !steps.some(({ isFailing }) => isFailing);
    this.#types = types.filter((type) => protocol === "6" || !resources[type]?.isOfProtocol6);
  }

  steps(steps: Settings["steps"]): Group {
    let declared: readonly Declared[] = [];
    return steps.map(({ isRefreshed, isFailing }, step) => {
      const drift = isRefreshed ? declared.flatMap((one) => this.#drift(one)) : [];
      const before = new Set(declared.map(({ tag }) => tag));
      declared = step === 0 ? this.#added([], 2 + this.#random.below(3), true) : this.#changed(declared, isFailing);
      declared = declared.map((one) => this.#commanded(one, isFailing, before.has(one.tag)));
      return { declared, lookups: isFailing ? [] : this.#lookups(declared), drift };
    });
  }

  #changed(before: readonly Declared[], isKept: boolean): readonly Declared[] {
    const kept: Declared[] = [];
    for (const one of before) {
      if (this.#random.chance(0.12) && !isKept) continue;
      const config = this.#random.chance(0.3) ? one.config : this.#mixed(one, this.#config(one, kept, false));
      kept.push({ ...one, config: withoutGone(currentConfig(one, config), kept) });
    }
    return this.#random.chance(0.4) ? this.#added(kept, 1, false) : kept;
  }

  /** Adds this step's fault command, if any, to a `fixture_behaviour`. */
  #commanded(one: Declared, isFailing: boolean, isThere: boolean): Declared {
    if (one.type !== "fixture_behaviour") return one;
    const command = isFailing && this.#random.chance(0.8) ? this.#random.one(FAULTS) : null;
    return {
      ...one,
      config: { ...one.config, on_create: isThere ? null : command, on_update: isThere ? command : null },
    };
  }

  #added(before: readonly Declared[], count: number, isOlder: boolean): readonly Declared[] {
    const all = [...before];
    for (let at = 0; at < count; at++) {
      const one = {
        tag: `${this.#prefix}r${this.#count++}`,
        type: this.#random.one(this.#types),
        createBeforeDestroy: this.#random.chance(0.25) && this.#mayCreateFirst,
      };
      all.push({ ...one, config: this.#config(one, all, isOlder) });
    }
    return all;
  }

  /** Mixes old and new attributes. */
  #mixed({ config, type }: Declared, other: CtyRecord): CtyRecord {
    const names = Object.keys(other);
    const share = this.#random.one([0.1, 0.4, 0.8]);
    const together: CtyRecord =
      type === "fixture_sdk" ? { content: other.content ?? null, source: other.source ?? null } : {};
    const mixed = Object.fromEntries(
      names.map((name) => {
        const isNew = this.#random.chance(share) || !Object.hasOwn(config, name);
        return [name, (isNew && name !== TAG_OF[type] ? other[name] : (config[name] ?? other[name])) ?? null];
      }),
    );
    return { ...mixed, ...together };
  }

  #config({ tag, type }: Pick<Declared, "tag" | "type">, earlier: readonly Declared[], isOlder: boolean): CtyRecord {
    if (isOlder && type === "fixture_versioned") return { title: tag, size: this.#random.one([null, "1", "12.5"]) };
    const { block } = resources[type]?.schema ?? versionedBefore.schema;
    const drawn = { ...this.#draw(configs(block)), ...this.#own(type), [TAG_OF[type] ?? ""]: tag };
    return { ...drawn, ...this.#references(type, block, drawn, earlier) };
  }

  #draw(from: fc.Arbitrary<CtyValue>): CtyRecord {
    const [value] = fc.sample(from, { numRuns: 1, seed: this.#random.below(2 ** 31) });
    return Object(comparable(value ?? null));
  }

  /** Values of attributes that do not accept every value. */
  #own(type: string): CtyRecord {
    const rule = (): CtyRecord => ({
      port: this.#random.below(9),
      protocol: this.#random.one([null, "tcp"]),
      target: this.#random.chance(0.5) ? [] : [{ host: "h" }, { host: "i" }].slice(this.#random.below(2)),
    });
    switch (type) {
      case "fixture_thing":
        return { size: this.#random.one([null, 1, 0.1, 2]), region: this.#random.one([null, "north", "south"]) };
      case "fixture_timeouts":
        return { milliseconds: this.#random.one([null, 0, 1]) };
      case "fixture_blocks":
        return { rule: [rule(), rule(), rule()].slice(this.#random.below(3)) };
      case "fixture_behaviour":
        return Object.fromEntries(
          ["validate", "plan", "create", "update", "read", "delete"].map((when) => [`on_${when}`, null]),
        );
      // Exactly one of both.
      case "fixture_sdk":
        return this.#random.chance(0.5) ? { content: "c", source: null } : { content: null, source: "s" };
      // `count` is a reserved word of OpenTofu.
      case "fixture_legacy":
        return { count: null };
      default:
        return {};
    }
  }

  #references(type: string, { attributes }: Block, drawn: CtyRecord, earlier: readonly Declared[]): CtyRecord {
    const made = earlier.flatMap(({ tag, type: of }) =>
      Object.entries(resources[of]?.schema.block.attributes ?? {})
        .filter(([name, { computed }]) => computed && name !== "count")
        .map(([name, attribute]) => ({ tag, name, type: attribute.type })),
    );
    const found = Object.entries(attributes).flatMap(([name, attribute]) => {
      // A negative size would be refused.
      const isSize = type === "fixture_thing" && name === "size";
      const isFixed = isSize || name === TAG_OF[type] || FIXED.test(name) || attribute.nested || !attribute.optional;
      if (isFixed || drawn[name] === undefined || !this.#random.chance(0.15)) return [];
      const fitting = made.filter((one) => sameType(one.type, attribute.type) && one.type !== "dynamic");
      if (fitting.length === 0) return [];
      const { tag, name: attributeOf } = this.#random.one(fitting);
      return [[name, reference(tag, attributeOf)] as const];
    });
    return Object.fromEntries(found);
  }

  #lookups(declared: readonly Declared[]): readonly LookedUp[] {
    const things = declared.filter(({ type }) => type === "fixture_thing");
    return things.filter(() => this.#random.chance(0.3)).map(({ tag }) => ({ tag: `${tag}found`, thing: tag }));
  }

  #drift({ type, tag }: Declared): readonly Drift[] {
    if (!this.#random.chance(0.3)) return [];
    // OpenTofu passes the private bytes of a removed object to its successor.
    if (this.#random.chance(0.25) && type !== "fixture_private") return [{ type, tag }];
    const attributes = Object.entries(resources[type]?.schema.block.attributes ?? {}).flatMap(([name, one]) =>
      name === "id" || name === TAG_OF[type] || name.startsWith("on_") || !Object.hasOwn(DRIFTED, String(one.type))
        ? []
        : [{ attribute: name, value: DRIFTED[String(one.type)] }],
    );
    return attributes.length === 0 ? [] : [{ type, tag, change: this.#random.one(attributes) }];
  }
}

/**
 * Replaces numbers that do not survive a provider in OpenTofu. OpenTofu compares numbers by their shortest texts, which
 * depend on their precision: numbers outside of 64-bit integers, or too small for full precision, change on their way.
 */
function comparable(value: CtyValue): CtyValue {
  if (typeof value === "number") return Math.abs(value) < 2 ** 63 && Math.abs(value) > 1e-290 ? value : 1.5;
  if (typeof value === "bigint") return BigInt(Number(value)) === value ? 3n ** 60n : value;
  if (value instanceof Dynamic) return new Dynamic(value.type, comparable(value.value));
  if (isList(value)) return value.map(comparable);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, comparable(one)]));
}

const FAULTS = ["fail", "fail-partial", "fail-after", "warn"];
const FIXED = /^on_|^(?:count|milliseconds|content|source)$/;
const DRIFTED: Readonly<Record<string, unknown>> = { string: "drifted", number: 77, bool: true };

/** The configuration for the present schema. */
function currentConfig({ type }: Declared, config: CtyRecord): CtyRecord {
  const { title, ...rest } = config;
  if (type !== "fixture_versioned" || title === undefined) return config;
  return { ...rest, name: title, size: rest.size === null ? null : Number(rest.size) };
}

/** Replaces references to removed resources with null. */
function withoutGone(config: CtyRecord, there: readonly Declared[]): CtyRecord {
  if ([...tagsIn(config)].every((tag) => there.some((one) => one.tag === tag))) return config;
  const isThere = (tag: string): boolean => there.some((one) => one.tag === tag);
  return Object(withReferences(config, (tag, attribute) => (isThere(tag) ? reference(tag, attribute) : null)));
}
