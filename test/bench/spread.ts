/** The space for labels, which are kept apart. */

export interface Room {
  /** Minimum distance of two labels. */
  readonly gap: number;
  readonly from: number;
  readonly to: number;
}

/**
 * The positions nearest to the wanted ones, in the same order, that are far enough from each other and within the room.
 */
export function spread(wanted: readonly number[], { gap, from, to }: Room): number[] {
  const order = wanted.map((_, index) => index).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
  const places = [...wanted];
  let least = from;
  for (const index of order) {
    places[index] = Math.max(places[index] ?? 0, least);
    least = (places[index] ?? 0) + gap;
  }
  let most = to;
  for (const index of order.toReversed()) {
    places[index] = Math.min(places[index] ?? 0, most);
    most = (places[index] ?? 0) - gap;
  }
  return places;
}
