/**
 * Where the processes of a test run ask for the servers that they share. A server starts when the first one asks, so
 * that a run which needs none pays for none.
 */
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { openPremises } from "./premises.js";

/** What a server is reached by; or what the machine lacks for it; or why it does not start all the same. */
export type Answer =
  | { readonly settings: Readonly<Record<string, string>> }
  | { readonly lacks: string }
  | { readonly fails: string };

export interface Desk {
  /** A socket. */
  readonly path: string;
  close(): Promise<void>;
}

/** Answers each name with what `answers` resolves with at its first time. */
export async function openDesk(answers: Readonly<Record<string, () => Promise<Answer>>>): Promise<Desk> {
  const premises = await openPremises("desk");
  const path = join(premises.folder, "socket");
  const answered = new Map<string, { readonly answer: Promise<Answer> }>();
  const answerTo = (name: string): Promise<Answer> => {
    const before = answered.get(name);
    if (before) return before.answer;
    const make = answers[name] ?? (async () => ({ fails: `nobody knows what ${name} is` }));
    const answer = make().catch((error: unknown): Answer => ({ fails: String(error) }));
    answered.set(name, { answer });
    return answer;
  };
  const server = createServer((socket) => {
    // One that asks and is gone needs no answer.
    socket.on("error", () => {});
    once(socket, "data")
      .then(([name]) => answerTo(String(name)))
      .then((answer) => socket.end(JSON.stringify(answer)))
      .catch(() => socket.destroy());
  });
  server.listen(path);
  await once(server, "listening");
  server.unref();
  return {
    path,
    close: async () => {
      server.close();
      await Promise.all([...answered.values()].map(({ answer }) => answer));
      await premises.leave();
    },
  };
}

/** Waits for the server to be up. */
export async function askDesk(path: string, name: string): Promise<Answer> {
  const socket = connect(path);
  socket.write(name);
  return JSON.parse(await text(socket)) as Answer;
}
