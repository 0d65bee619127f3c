/** A stage with a folder of its own, for one test: workers, the world, and their traces. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { dismiss, type Opener, type Place, startWorker, type Worker, type WorkerOptions } from "./contention-crew.js";

export interface ContentionStage {
  readonly place: Place;
  /** Starts a worker with this store; it ends with the test. */
  start(opener: Opener, options?: WorkerOptions): Promise<Worker>;
  /** Ends all workers. */
  end(): ReturnType<typeof dismiss>;
}

export function contentionStage(): ContentionStage {
  let cwd = "";
  let workers: Worker[] = [];
  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), "contention-"));
    workers = [];
  });
  afterEach(async () => {
    for (const worker of workers) {
      worker.signal("SIGKILL");
      await worker.ended;
    }
    await rm(cwd, { recursive: true, maxRetries: 3 });
  });
  const place = (opener: Opener): Place => ({
    ...opener,
    cwd,
    location: join(cwd, "state"),
    world: join(cwd, "world.log"),
  });
  return {
    get place() {
      return place({ module: "", name: "" });
    },
    async start(opener, options) {
      const worker = await startWorker(place(opener), options);
      workers.push(worker);
      return worker;
    },
    end: () => dismiss(workers),
  };
}
