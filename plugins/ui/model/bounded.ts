/** A list that keeps its newest items, and counts the dropped ones. */

export interface Bounded<T> {
  /** Items before `first` are dropped, but stay until enough of them can be removed at once. */
  readonly items: T[];
  first: number;
  /** Number of dropped items. */
  dropped: number;
  /** Sum of the weights of the kept items. */
  weight: number;
}

export interface Bound {
  readonly most: number;
  readonly heaviest: number;
}

export function bounded<T>(): Bounded<T> {
  return { items: [], first: 0, dropped: 0, weight: 0 };
}

/**
 * Adds an item in constant time on average, and drops the oldest ones over the limits.
 *
 * @param weightOf e.g. the characters of a text
 */
export function addItem<T>(list: Bounded<T>, item: T, { most, heaviest }: Bound, weightOf: (item: T) => number): void {
  const { items } = list;
  items.push(item);
  list.weight += weightOf(item);
  while (items.length - list.first > 1 && (items.length - list.first > most || list.weight > heaviest)) {
    const oldest = items[list.first];
    if (oldest !== undefined) list.weight -= weightOf(oldest);
    list.first++;
    list.dropped++;
  }
  if (list.first > most) {
    items.splice(0, list.first);
    list.first = 0;
  }
}

/** Returns the kept items, the oldest first. */
export function kept<T>({ items, first }: Bounded<T>): readonly T[] {
  return first === 0 ? items : items.slice(first);
}
