/**
 * The place where the processes of a test run request the servers that they share. A server starts at the first
 * request, so a run that needs none starts none.
 */
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { openPremises } from "./premises.js";

/** The settings that lead to a server, or what the machine lacks for it, or the reason why it does not start. */
export type Answer =
  | { readonly settings: Readonly<Record<string, string>> }
  | { readonly lacks: string }
  | { readonly fails: string };

export interface Desk {
  /** A socket. */
  readonly path: string;
  close(): Promise<void>;
}

/** Answers each name with the result of `answers`, which is called at the first request. */
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
    // A client that has disconnected needs no answer.
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
