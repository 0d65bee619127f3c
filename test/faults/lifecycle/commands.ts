/** What can happen to a stage in the life of its program. */
import { fc } from "../../helpers/generated.ts";

/** Each id is always of one type: see reality.ts. */
export const ids = ["aware", "found", "watched", "plain", "home", "renamed"] as const;
export type Id = (typeof ids)[number];

/** One resource as the program has it now. */
export interface Line {
  readonly value: number;
  /** A change replaces: an even one the new copy first, an odd one the old copy first. */
  readonly name: number;
  /** Refers to the line before it. */
  readonly refers: boolean;
}

export interface Program {
  readonly lines: ReadonlyMap<Id, Line>;
  /** All at once where nothing refers to another. */
  readonly isParallel: boolean;
}

export type Call = "create" | "update" | "delete";

/** A handler that throws: before it has done anything, or after. */
export interface Mishap {
  readonly call: Call;
  readonly id: Id;
  readonly after: boolean;
}

/** How a run goes. */
export interface Luck {
  readonly mishaps: readonly Mishap[];
  /** It is killed after so many steps. */
  readonly killAt: number | undefined;
}

export type Command =
  | { readonly do: "edit"; readonly id: Id; readonly line: Line | undefined }
  | { readonly do: "arrange"; readonly isParallel: boolean }
  | { readonly do: "up"; readonly luck: Luck; readonly force: boolean }
  | { readonly do: "destroy"; readonly luck: Luck }
  | { readonly do: "read"; readonly luck: Luck }
  /** Two runs at once, the second without the first one's last line. */
  | { readonly do: "two"; readonly luck: Luck; readonly other: Luck }
  /** Somebody changes the thing, or takes it away where its type would notice. */
  | { readonly do: "drift"; readonly id: Id; readonly gone: boolean };

const id = fc.constantFrom(...ids);
const line = fc.record<Line>({ value: fc.nat(2), name: fc.nat(2), refers: fc.boolean() });
const mishap = fc.record<Mishap>({
  call: fc.constantFrom("create", "update", "delete"),
  id,
  after: fc.boolean(),
});
const luck = fc.record<Luck>({
  mishaps: fc.oneof(
    { arbitrary: fc.constant([]), weight: 3 },
    { arbitrary: fc.array(mishap, { maxLength: 2 }), weight: 1 },
  ),
  killAt: fc.oneof({ arbitrary: fc.constant(undefined), weight: 1 }, { arbitrary: fc.nat(60), weight: 1 }),
});
const force = fc.nat(4).map((n) => n === 4);

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    arbitrary: fc.record({ do: fc.constant("edit" as const), id, line: fc.option(line, { nil: undefined, freq: 3 }) }),
    weight: 8,
  },
  { arbitrary: fc.record({ do: fc.constant("arrange" as const), isParallel: fc.boolean() }), weight: 1 },
  { arbitrary: fc.record({ do: fc.constant("up" as const), luck, force }), weight: 8 },
  { arbitrary: fc.record({ do: fc.constant("destroy" as const), luck }), weight: 1 },
  { arbitrary: fc.record({ do: fc.constant("read" as const), luck }), weight: 1 },
  { arbitrary: fc.record({ do: fc.constant("two" as const), luck, other: luck }), weight: 2 },
  { arbitrary: fc.record({ do: fc.constant("drift" as const), id, gone: fc.boolean() }), weight: 2 },
);

export const lives = fc.array(command, { minLength: 1, maxLength: 30, size: "max" });
