/** Types that only the world of users has: see kinds.ts. */
export type UserKindName = "reserved" | "overwriting" | "manual" | "lagging" | "needed" | "tagged" | "frozen";
