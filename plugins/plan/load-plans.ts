/** Loads the code of plans: most runs make none, and start faster without it. */

let plans: Promise<typeof import("./planning.js")> | undefined;

export function loadPlans(): NonNullable<typeof plans> {
  plans ??= import("./planning.js").catch((error: unknown) => {
    // Perhaps too many files were open.
    plans = undefined;
    throw error;
  });
  return plans;
}
