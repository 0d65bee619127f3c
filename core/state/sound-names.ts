/** Names in the state become paths and names of things: only such as the engine gives are acted upon. */
import type { Contents } from "./change.js";
import { corrupt } from "./corrupt.js";
import type { LedgerLocation } from "./ledger-location.js";

/** Most names are. */
const PLAIN = /^[A-Za-z0-9_-][A-Za-z0-9_.-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*$/;
const UNFIT = /^\.{0,2}$|[\p{Cc}\p{Cs}]/u;

/** @throws EngineError `STATE_CORRUPT` naming the resource, or the uid, that no program can have declared */
export function checkNames({ app, stage }: Pick<LedgerLocation, "app" | "stage">, { records }: Contents): void {
  for (const { uid, key } of records.values()) {
    if (isSound(key) && isSound(uid)) continue;
    const what = isSound(key) ? `the uid ${JSON.stringify(uid)} of "${key}"` : `the name ${JSON.stringify(key)}`;
    throw corrupt(`${app}/${stage}`, `${what} is none that the engine gives: somebody else has written it`);
  }
}

function isSound(name: unknown): boolean {
  return typeof name === "string" && (PLAIN.test(name) || !name.split("/").some((part) => UNFIT.test(part)));
}
