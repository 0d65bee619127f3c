/** A user whose runs send telemetry to a server, each run in its own process. */
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CaptureServer, captureServer, type Mood } from "../../helpers/processes/capture-server.ts";
import { type Ended, type RunningProgram, startProgram } from "../../helpers/processes/child-program.ts";

export interface User {
  readonly server: CaptureServer;
  /** Folder of the user's own settings. */
  readonly folder: string;
  start(args?: readonly string[], env?: Readonly<Record<string, string>>): RunningProgram;
  run(args?: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>;
  /** Text of one of the user's files; undefined if it does not exist. */
  file(name: string): Promise<string | undefined>;
  leave(): Promise<void>;
}

/** Milliseconds by which a busy machine may delay an answer. */
const TO_ANSWER = 15_000;
/** Milliseconds for a request whose answer never comes, until it is given up. */
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
