/** Waits for a server to come up. */
import { setTimeout as pause } from "node:timers/promises";
import type { Resident } from "./resident.js";

/** Milliseconds after which a server counts as broken; a busy machine may take a while. */
const patience = 120_000;

/** Resolves once `answers` resolves with true; rejects with the server's output if it ends or takes too long. */
export async function isUp(server: Resident, answers: () => Promise<boolean>): Promise<void> {
  const started = performance.now();
  while (!(await answers().catch(() => false))) {
    if (!server.alive) throw new Error(`${server.name} ended at its start:\n${await server.said()}`);
    if (performance.now() - started > patience) {
      throw new Error(`${server.name} did not answer within ${patience} ms:\n${await server.said()}`);
    }
    await pause(5);
  }
}

/** True if an HTTP server answers, with any status. */
export async function answersHttp(url: string): Promise<boolean> {
  const response = await fetch(url);
  await response.arrayBuffer();
  return true;
}
