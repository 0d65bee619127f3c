/**
 * The stores that a forger can make who has seen everything ever written, and has no key, and that a client with the
 * key takes for complete and genuine. Others stop the client, and have no other effect. Each is made line by line, of
 * seen lines and one strange line.
 */
import { prove } from "./evidence.js";
import type { CheckpointId, ContentId, HistoryId, LineId } from "./history.js";
import { bases, Material } from "./material.js";
import type { PastId } from "./past.js";
import { isClosed, reading } from "./reading.js";
import type { World } from "./turn.js";

export interface Arrangement {
  readonly base: number;
  readonly checkpoint: CheckpointId;
  /** Entries base + 1, base + 2, … */
  readonly entries: readonly ContentId[];
  /** The result of a load of it. */
  readonly known: HistoryId;
}

interface Made extends Arrangement {
  /** Number of lines that are not as, or not where, their writer wrote them. */
  readonly strange: number;
}

/** One strange line is enough to see whether it is found out. */
const STRANGE = 1;

/** The result of a load. "refused": more lines after it may make it acceptable. */
type Verdict = HistoryId | "refused" | "hopeless";

/** All arrangements from one past: those from the past before it, and more. */
interface Workshop {
  readonly before: Workshop | undefined;
  readonly material: Material;
  readonly bases: ReadonlySet<CheckpointId>;
  /** By the last line. */
  readonly made: Map<LineId, Made[]>;
  readonly found: Map<HistoryId, Arrangement>;
}

const PAIR = 2 ** 24;

export class Arranger {
  readonly #world: World;
  readonly #workshops = new Map<PastId, Workshop>();
  /** By the checkpoint and the lines after it. */
  readonly #verdicts = new Map<number, Verdict>();

  constructor(world: World) {
    this.#world = world;
  }

  /** One for each history that a load can get from the seen lines. */
  arrangements(past: PastId): readonly Arrangement[] {
    const all = new Map<HistoryId, Arrangement>();
    for (let at: Workshop | undefined = this.#workshop(past); at; at = at.before) {
      for (const [known, arrangement] of at.found) all.set(known, arrangement);
    }
    return [...all.values()];
  }

  #workshop(past: PastId): Workshop {
    const there = this.#workshops.get(past);
    if (there !== undefined) return there;
    const lines = this.#world.past.lines(past);
    const material = new Material(this.#world, lines);
    const earlier = past === 0 ? undefined : this.#workshop(this.#world.past.before(past));
    // If another key may now come later than any before, arrangements that were useless may be useful.
    const before = earlier?.material.lastVouching === material.lastVouching ? earlier : undefined;
    const workshop = { before, material, bases: bases(this.#world, past, material), made: new Map(), found: new Map() };
    this.#workshops.set(past, workshop);
    for (const checkpoint of workshop.bases) if (!before?.bases.has(checkpoint)) this.#begin(workshop, checkpoint);
    if (before) for (const line of lines) if (!before.material.has(line)) this.#use(workshop, line);
    return workshop;
  }

  /** Puts a new line into every place of the earlier arrangements that accepts it. */
  #use(workshop: Workshop, line: LineId): void {
    const { history } = this.#world;
    const { kind, prev } = history.lineOf(line);
    const material = new Material(this.#world, new Set([line]), workshop.material);
    for (let at = workshop.before; at; at = at.before) {
      for (const [last, all] of at.made) {
        const mayFollow = kind === "open" || last === prev;
        for (const made of all) if (mayFollow || made.strange < STRANGE) this.#extend(workshop, made, material);
      }
    }
  }

  #begin(workshop: Workshop, checkpoint: CheckpointId): void {
    const { history } = this.#world;
    const { folds } = history.checkpointOf(checkpoint);
    this.#look(workshop, { checkpoint, base: history.history(folds).seq, entries: [], known: folds, strange: 0 });
  }

  #look(workshop: Workshop, made: Made): void {
    const { history } = this.#world;
    const verdict = this.#verdict(made);
    if (verdict === "hopeless") return;
    if (typeof verdict === "number") workshop.found.set(verdict, { ...made, known: verdict });
    // A refused line can only be made good by a later line that vouches for it.
    else if (made.strange > 0 && history.history(made.known).seq > workshop.material.lastVouching) return;
    const { line } = history.history(made.known);
    const alike = workshop.made.get(line);
    if (alike) alike.push(made);
    else workshop.made.set(line, [made]);
    this.#extend(workshop, made, workshop.material);
  }

  #extend(workshop: Workshop, made: Made, material: Material): void {
    const { history, scenario } = this.#world;
    const { base, entries } = made;
    const last = entries.at(-1) ?? 0;
    const canGrow = last !== 0 && history.firstLine(last).grows && !isClosed(history, last);
    if (canGrow) this.#add(workshop, made, { content: last, before: entries.slice(0, -1) }, material);
    if (base + entries.length < scenario.maxSeq) this.#add(workshop, made, { content: 0, before: entries }, material);
  }

  #add(
    workshop: Workshop,
    made: Made,
    { content, before }: { readonly content: ContentId; readonly before: readonly ContentId[] },
    material: Material,
  ): void {
    const { history } = this.#world;
    const next = (line: LineId, strange: number): void => {
      const entries = [...before, history.push(content, line)];
      this.#look(workshop, { ...made, entries, known: history.extend(made.known, line), strange });
    };
    const spot = { seq: made.base + before.length + 1, isFirst: content === 0, known: made.known };
    for (const line of material.seen(spot)) next(line, made.strange);
    if (made.strange < STRANGE) for (const line of material.strange(spot)) next(line, made.strange + 1);
  }

  #verdict({ checkpoint, base, entries, known }: Made): Verdict {
    const key = checkpoint * PAIR + known;
    let verdict = this.#verdicts.get(key);
    if (verdict === undefined) {
      const { history, rules } = this.#world;
      const { folds } = history.checkpointOf(checkpoint);
      const read = reading(history, rules, { base, baseHistory: folds, view: entries, stale: 0 });
      if (read.is === "broken" && read.isForGood) verdict = "hopeless";
      else if (read.is !== "whole") verdict = "refused";
      else if (!isNearBase(this.#world, { folds, first: entries[0] ?? 0 })) verdict = "hopeless";
      else verdict = prove(history, rules, { checkpoint, known: read.known }).is === "forged" ? "refused" : read.known;
      this.#verdicts.set(key, verdict);
    }
    return verdict;
  }
}

/** If a load reads entries that the checkpoint covers, they may be the old ones; otherwise they say nothing. */
function isNearBase({ history, rules }: World, at: { readonly folds: HistoryId; readonly first: ContentId }): boolean {
  const { seq, line, content } = history.history(at.folds);
  const { prev } = history.firstLine(at.first);
  const isLoose = seq > 0 && at.first !== 0 && prev !== line && !rules.opensName && rules.opensNear;
  return !isLoose || history.hasLine(content, prev);
}
