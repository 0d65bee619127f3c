/** Explains why no worker takes the jobs of a queue. */
import type { StageQueue } from "../../../adapters/bullmq/queue.js";
import { counted } from "../../internal/text/counted.js";
import type { RecordOptions } from "../record.js";
import { isQueueOf } from "./server.js";

interface Waiting {
  readonly fleet: string;
  readonly queue: StageQueue;
  /** Name of the queue. */
  readonly name: string;
  readonly look: RecordOptions;
}

/** Between the name of a queue and that of a worker in the name of its connection. */
const MARK = ":w:";

/** Returns undefined if there is a worker. */
export async function missingWorkers({ fleet, queue, name, look }: Waiting): Promise<string | undefined> {
  if ((await queue.getWorkersCount()) > 0) return undefined;
  const { location } = Object(look.stateStore) as { readonly location?: string };
  const at = location === undefined ? "" : ` (${location})`;
  const others = (await queuesWithWorkers(queue)).filter((one) => one !== name && isQueueOf(fleet, one)).length;
  const have =
    others === 0
      ? ""
      : ` ${counted(others, "worker")} of this fleet ${others === 1 ? "has" : "have"} another version of the program, or another state store: end and start ${others === 1 ? "it" : "them"} again.`;
  return `No worker takes the jobs of the fleet "${fleet}".${have} A worker needs the same program and the same state store${at}: engine worker FILE --queue URL`;
}

/** Returns the name of the queue of each worker that is connected to the server. */
async function queuesWithWorkers(queue: StageQueue): Promise<readonly string[]> {
  const lists = await queue.backend.getClientList();
  const clients = lists.flatMap((list) => [...list.matchAll(/(?:^|\s)name=(\S+)/g)].map(([, client = ""]) => client));
  return [...new Set(clients)].flatMap((client) => {
    const end = client.lastIndexOf(MARK);
    return end < 0 ? [] : queueNameIn(client.slice(0, end));
  });
}

/** A connection to Redis has the name of the queue in base64, behind a prefix; one to PostgreSQL has it as it is. */
function queueNameIn(client: string): string {
  const encoded = /:([A-Za-z0-9+/=]+)$/.exec(client)?.[1];
  return encoded === undefined ? client : Buffer.from(encoded, "base64").toString();
}
