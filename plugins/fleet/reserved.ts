/** The stages in which a fleet keeps its own records. */

/** Stage of the record of a fleet. Stages whose names begin so belong to the fleet itself. */
export const RESERVED = "@fleet";

/** Stage of the requests to the conductor of a fleet. */
export const REQUESTS = `${RESERVED}-requests`;
