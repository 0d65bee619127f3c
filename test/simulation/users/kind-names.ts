/** Types of the world of users alone: see kinds.ts. */
export type UserKindName = "reserved" | "overwriting" | "manual" | "lagging" | "needed" | "tagged" | "frozen";
