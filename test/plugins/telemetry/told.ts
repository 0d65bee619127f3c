/** A user whose runs are told of to a server, each run in a process of its own. */
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CaptureServer, captureServer, type Mood } from "../../helpers/processes/capture-server.ts";
import { type Ended, type RunningProgram, startProgram } from "../../helpers/processes/child-program.ts";

export interface User {
  readonly server: CaptureServer;
  /** Of the user's own settings. */
  readonly folder: string;
  start(args?: readonly string[], env?: Readonly<Record<string, string>>): RunningProgram;
  run(args?: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>;
  /** Text of one of the user's files; undefined where there is none. */
  file(name: string): Promise<string | undefined>;
  leave(): Promise<void>;
}

/** Milliseconds by which a busy machine may be late with an answer. */
const TO_ANSWER = 15_000;
/** And with a request, where the answer never comes and has to be given up. */
const TO_ASK = 6_000;

export async function newUser(mood: Mood = "ok"): Promise<User> {
  const cwd = await mkdtemp(join(tmpdir(), "scope-engine-told-"));
  const server = await captureServer(mood);
  const folder = join(cwd, "config/scope-engine");
  const start: User["start"] = (args = [], env = {}) =>
    startProgram("telling", {
      cwd,
      args,
      env: {
        XDG_CONFIG_HOME: join(cwd, "config"),
        ENGINE_TELEMETRY_KEY: "phc_key",
        ENGINE_TELEMETRY_HOST: server.url,
        PATIENT: String(server.mood === "silent" || typeof server.mood === "object" ? TO_ASK : TO_ANSWER),
        ...env,
      },
    });
  return {
    server,
    folder,
    start,
    run: (args, env) => start(args, env).ended,
    file: async (name) => (existsSync(join(folder, name)) ? readFile(join(folder, name), "utf8") : undefined),
    async leave() {
      await server.close();
      await rm(cwd, { recursive: true, force: true });
    },
  };
}
