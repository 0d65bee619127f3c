/** A simulated service of mailboxes, with types that keep their promises and types that do not. */
import { Resource } from "../../../core/resource/index.js";
import type { SimulationMoment, SimulationSubject, SimulationTools } from "../../../plugins/testing/index.js";

interface Mailbox {
  readonly number: number;
  readonly token: string;
  quota: number;
}

interface Props {
  readonly quota: number;
}

interface Output {
  readonly number: number;
}

/** The outside world of the current history. */
export class Mailboxes {
  readonly boxes = new Map<number, Mailbox>();
  readonly tools: SimulationTools;
  #numbers = 0;

  constructor(tools: SimulationTools) {
    this.tools = tools;
  }

  add(token: string, quota: number): Output {
    const number = ++this.#numbers;
    this.boxes.set(number, { number, token, quota });
    return { number };
  }

  find(token: string): Mailbox | undefined {
    return [...this.boxes.values()].find((box) => box.token === token);
  }

  /** Throws unless each mailbox is recorded, or a run that began to create it is still running. */
  readonly check = ({ when, records }: SimulationMoment): void => {
    const numbers = records.map(({ output }) => Reflect.get(Object(output), "number"));
    const isPending = records.some(({ status }) => status !== "ready");
    const lost = [...this.boxes.keys()].filter((number) => !numbers.includes(number));
    if (lost.length > 0 && (!isPending || when !== "underway")) throw new Error(`mailbox ${lost} is not recorded`);
  };
}

let current: Mailboxes;

/** Makes the types below work on this world from now on. */
export function useMailboxes(tools: SimulationTools): Mailboxes {
  current = new Mailboxes(tools);
  return current;
}

const rest = {
  update: ({ props, output }: { props: Props; output: Output }) =>
    current.tools.request(() => {
      const box = current.boxes.get(output.number);
      if (!box) throw new Error(`there is no mailbox ${output.number}`);
      box.quota = props.quota;
      return output;
    }),
  delete: ({ output }: { output: Output }) =>
    current.tools.request(() => {
      current.boxes.delete(output.number);
    }),
};

/** Its repeated create finds the mailbox of the first one. */
export const SoundMailbox = Resource("simulate:SoundMailbox", {
  idempotent: true,
  create: ({ props, token }: { props: Props; token: string }) =>
    current.tools
      .request(() => current.find(token) ?? current.add(token, props.quota))
      .then(({ number }) => ({ number })),
  ...rest,
});

/** Declares that its create can be repeated, and creates another one each time. */
export const DoubleMailbox = Resource("simulate:DoubleMailbox", {
  idempotent: true,
  create: ({ props, token }: { props: Props; token: string }) =>
    current.tools.request(() => current.add(token, props.quota)),
  ...rest,
});

type Kind = (id: string, props: Props) => PromiseLike<Output>;

/** Two versions of a program with mailboxes of a type. */
export function tenants(Box: Kind): SimulationSubject["programs"] {
  return [
    async () => {
      const { number } = await Box("inbox", { quota: 10 });
      await Promise.all([Box("outbox", { quota: number }), Box("spam", { quota: 1 })]);
    },
    async () => {
      await Box("inbox", { quota: 20 });
      await Box("archive", { quota: 100 });
    },
  ];
}
