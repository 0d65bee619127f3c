/** Why an answer did not come. */
import type { Failure } from "../../api/index.js";

export class AskFailed extends Error {
  readonly code: string;
  readonly status: number;

  constructor(message: string, code: string, status: number, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.status = status;
  }
}

export function failureOf(error: unknown): Failure {
  if (error instanceof AskFailed) return { code: error.code, message: error.message };
  return { code: "UNREACHABLE", message: error instanceof Error ? error.message : String(error) };
}
