/** A proxy's connection to the server, for one client. */
import { connect, type Socket } from "node:net";
import { Messages } from "./messages.js";
import type { Protocol } from "./protocol.js";

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** A whole request. */
interface Sent {
  readonly bytes: Buffer;
  readonly kind: string;
  /** Called with the reply, before any later message is taken. */
  readonly hasReplied?: () => void;
}

interface Waiting extends Pick<Sent, "kind" | "hasReplied"> {
  readonly resolve: (reply: Buffer) => void;
  readonly reject: (error: Error) => void;
}

export interface UpstreamOptions {
  readonly address: Address;
  readonly protocol: Protocol;
  /** Closes it, even if it waits for a reply. */
  readonly signal: AbortSignal;
  /** Takes messages that the server sends unasked. */
  readonly aside?: (message: Buffer) => void;
  /** The server has closed the connection, and owes no reply. */
  readonly closed?: () => void;
}

export class Upstream {
  readonly #socket: Socket;
  readonly #waiting: Waiting[] = [];

  constructor({ address, protocol, signal, aside = () => {}, closed = () => {} }: UpstreamOptions) {
    this.#socket = connect({ ...address, noDelay: true });
    const close = (): void => this.close();
    signal.addEventListener("abort", close);
    const replies = new Messages(
      (bytes) => protocol.replyLength(bytes, this.#waiting[0]?.kind),
      (reply) => {
        const first = protocol.isAside(reply) ? undefined : this.#waiting.shift();
        if (!first) return aside(reply);
        first.hasReplied?.();
        first.resolve(reply);
      },
    );
    this.#socket.on("data", (piece: Buffer) => replies.push(piece));
    this.#socket.on("error", (error) => this.#fail(error));
    this.#socket.on("close", () => {
      signal.removeEventListener("abort", close);
      this.#fail(new Error("The server closed the connection."));
      closed();
    });
  }

  /** Resolves with the reply; rejects if the connection ends without one. */
  send({ bytes, ...of }: Sent): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) {
        reject(new Error("The server closed the connection."));
        return;
      }
      this.#waiting.push({ ...of, resolve, reject });
      this.#socket.write(bytes);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #fail(error: Error): void {
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}
