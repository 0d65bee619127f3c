/** One client's connection through a proxy: requests and replies each keep their order. */
import type { Socket } from "node:net";
import type { Counter } from "./counts.js";
import { type Fault, isFatal, isForwarded } from "./fault.js";
import { Messages } from "./messages.js";
import type { Protocol } from "./protocol.js";
import type { ProxyRequest } from "./request.js";
import { type Address, Upstream } from "./upstream.js";

export interface LinkOptions {
  readonly address: Address;
  readonly protocol: Protocol;
  readonly counter: Counter;
  /** Milliseconds added to a round trip. */
  readonly latency: () => number;
  readonly faultFor: (request: ProxyRequest) => Fault | undefined;
  /** Work that continues even if its client is gone. */
  readonly track: (work: Promise<unknown>) => void;
  /** Lets so many milliseconds pass. */
  readonly pause: (milliseconds: number) => Promise<unknown>;
  /** Ends all requests to the server. */
  readonly signal: AbortSignal;
}

interface Exchange {
  readonly bytes: Buffer;
  readonly kind: string;
  readonly fault: Fault | undefined;
}

export class Link {
  readonly #client: Socket;
  readonly #options: LinkOptions;
  #upstream: Upstream | undefined;
  /** A fault has ended the conversation: further bytes are ignored. */
  #deaf = false;
  /** The client was asked to send the rest of a request. */
  #urged = false;
  #sent: Promise<unknown> = Promise.resolve();
  #replies: Promise<unknown> = Promise.resolve();
  #answered: Promise<unknown> = Promise.resolve();
  /** Resolves when the client has got all replies of the server so far. */
  #told: Promise<unknown> = Promise.resolve();
  /** Requests with which the connection began. */
  readonly #introductions: { readonly bytes: Buffer; readonly kind: string }[] = [];

  constructor(client: Socket, options: LinkOptions) {
    this.#client = client;
    this.#options = options;
    const { protocol, counter } = options;
    const requests = new Messages(protocol.requestLength, (bytes) => this.#take(bytes));
    client.setNoDelay(true);
    client.on("error", () => {});
    client.on("data", (piece: Buffer) => {
      counter.bytes("bytesUp", piece.length);
      requests.push(piece);
      this.#urge(requests);
    });
    // Received requests are still forwarded.
    client.on("close", () => void this.#replies.then(() => this.#upstream?.close()));
  }

  /** Like a cable that is pulled, after some bytes to the client. */
  cut(): void {
    this.#deaf = true;
    // Not a socket that is being ended: it could not be reset any more, and would never be closed.
    if (!this.#client.writableEnded) this.#client.resetAndDestroy();
    // At once: otherwise it would wait until all written bytes are sent.
    this.#client.destroy();
  }

  #urge(requests: Messages): void {
    // Inside a body there is no head to look for.
    if (this.#urged || requests.size === 0 || requests.size > 65_536) return;
    const urge = this.#options.protocol.urge(requests.rest);
    if (urge === undefined) return;
    this.#urged = true;
    this.#write(Buffer.from(urge));
  }

  #take(bytes: Buffer): void {
    this.#urged = false;
    if (this.#deaf) return;
    const { protocol, faultFor, counter, track } = this.#options;
    const request = protocol.read(bytes);
    const fault = faultFor(request);
    counter.request(request.kind, fault?.kind);
    if (isFatal(fault)) this.#deaf = true;
    const exchange = { bytes, kind: request.kind, fault };
    if (protocol.introduces?.(request.kind)) this.#introductions.push(exchange);
    const reply = this.#forward(exchange, () => {
      this.#told = answered;
    });
    const answered = this.#answer(exchange, this.#answered, reply).catch(() => this.cut());
    this.#answered = answered;
    this.#replies = Promise.allSettled([this.#replies, reply]);
    track(reply);
    // A request that is never answered is not waited for.
    if (fault?.kind !== "timeout") track(answered);
  }

  /** Resolves with the server's reply, or with undefined if the server does not get the request. */
  #forward({ bytes, kind, fault }: Exchange, hasReplied: () => void): Promise<Buffer | undefined> {
    const held = fault?.kind === "delayed" && fault.side === "request" ? fault.by : 0;
    const arrived = this.#wait(this.#options.latency() / 2 + held);
    const before = this.#sent;
    const replied = (async () => {
      await Promise.all([before, arrived]);
      if (!isForwarded(fault)) return undefined;
      const server = this.#server();
      const request = { bytes, kind, hasReplied };
      const first = server.send(request);
      if (fault?.kind !== "duplicated") return { reply: first };
      await first;
      return { reply: server.send(request) };
    })();
    // The next one follows once this one is sent, not only when it is answered.
    this.#sent = replied.catch(() => {});
    return replied.then((sent) => sent?.reply);
  }

  async #answer({ bytes, kind, fault }: Exchange, before: Promise<unknown>, reply: Promise<Buffer | undefined>) {
    const arrived = reply.then(async (bytes = Buffer.alloc(0)) => {
      await this.#wait(this.#options.latency() / 2);
      return bytes;
    });
    const [answer] = await Promise.all([arrived, before]);
    switch (fault?.kind) {
      case "error":
      case "slow-down":
      case "conflict":
        return this.#write(Buffer.from(this.#options.protocol.refusal(fault.kind)));
      case "says":
        return this.#write(Buffer.from(fault.reply));
      case "timeout":
        return new Promise<never>(() => {});
      case "reset-before":
      case "reset-after":
        return this.cut();
      case "truncated":
        this.#client.write(answer.subarray(0, answer.length / 2), () => this.cut());
        return;
      case "delayed":
        if (fault.side === "reply") await this.#wait(fault.by);
        return this.#write(answer);
      case "late-duplicate":
        this.#write(answer);
        return this.#options.track(this.#sendAgain(bytes, kind, fault.after));
      default:
        return this.#write(answer);
    }
  }

  async #sendAgain(bytes: Buffer, kind: string, after: number | Promise<unknown>): Promise<void> {
    await (typeof after === "number" ? this.#wait(after) : after);
    const { address, protocol, signal } = this.#options;
    const another = new Upstream({ address, protocol, signal });
    try {
      for (const introduction of this.#introductions) await another.send(introduction);
      await another.send({ bytes, kind });
    } finally {
      another.close();
    }
  }

  #server(): Upstream {
    const { address, protocol, signal } = this.#options;
    this.#upstream ??= new Upstream({
      address,
      protocol,
      signal,
      aside: (message) => void this.#told.then(() => this.#write(message)),
      closed: () => void this.#answered.then(() => this.#client.end()),
    });
    return this.#upstream;
  }

  #write(bytes: Buffer): void {
    this.#options.counter.bytes("bytesDown", bytes.length);
    if (!this.#client.destroyed) this.#client.write(bytes);
  }

  async #wait(milliseconds: number): Promise<void> {
    if (milliseconds > 0) await this.#options.pause(milliseconds);
  }
}
