import { EngineError } from "../../../core/base/index.js";

/** Code and message of the EngineError that `act` throws. */
export function codeOf(act: () => unknown): [code: string, message: string] {
  try {
    act();
  } catch (error) {
    return partsOf(error);
  }
  throw new Error("It did not fail.");
}

/** Code and message of the EngineError that a promise rejects with. */
export async function rejectedCode(promise: Promise<unknown>): Promise<[code: string, message: string]> {
  try {
    await promise;
  } catch (error) {
    return partsOf(error);
  }
  throw new Error("It did not fail.");
}

function partsOf(error: unknown): [string, string] {
  if (error instanceof EngineError) return [error.code, error.message];
  throw error;
}
