/** A list that keeps the newest of what is added, and counts what it has dropped. */

export interface Bounded<T> {
  /** Those before `first` are dropped, and still here until there are enough of them to be taken away at once. */
  readonly items: T[];
  first: number;
  /** How many were dropped. */
  dropped: number;
  /** Sum of the weights of what is kept. */
  weight: number;
}

export interface Bound {
  readonly most: number;
  readonly heaviest: number;
}

export function bounded<T>(): Bounded<T> {
  return { items: [], first: 0, dropped: 0, weight: 0 };
}

/** Takes constant time, on average. @param weightOf e.g. the characters of a text */
export function add<T>(list: Bounded<T>, item: T, { most, heaviest }: Bound, weightOf: (item: T) => number): void {
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

/** The oldest first. */
export function kept<T>({ items, first }: Bounded<T>): readonly T[] {
  return first === 0 ? items : items.slice(first);
}
