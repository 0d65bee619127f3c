/** A release is not made; the message says why, and what to do. */
export class Refusal extends Error {}
