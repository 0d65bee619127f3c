/** Calls the RPCs of the protocol, each with its messages. */
import { EngineError, isEngineError } from "../../../../core/base/index.js";
import {
  type MessageCodec,
  type Received,
  type RequestOf,
  type ResponseOf,
  RPCS,
  type Rpc,
  rpcName,
  rpcPath,
  type Sent,
} from "../messages/index.js";
import type { Connection } from "../process/index.js";

export class Rpcs {
  readonly protocol: 5 | 6;
  readonly #provider: string;
  readonly #connection: Connection;
  readonly #codec: MessageCodec;

  constructor(provider: string, protocol: 5 | 6, connection: Connection, codec: MessageCodec) {
    this.#provider = provider;
    this.protocol = protocol;
    this.#connection = connection;
    this.#codec = codec;
  }

  /** Calls an RPC. @param take reads the answer; its errors about values are reported with the name of the RPC */
  async call<Name extends Rpc, Taken>(
    rpc: Name,
    request: Sent<RequestOf<Name>>,
    signal: AbortSignal | undefined,
    take: (answer: Received<ResponseOf<Name>>, codec: MessageCodec) => Taken,
  ): Promise<Taken> {
    const name = rpcName(rpc, this.protocol);
    const answer = await this.#connection.call({
      path: rpcPath(rpc, this.protocol),
      name,
      message: this.#codec.encode<RequestOf<Name>>(RPCS[rpc].request, request),
      read: (bytes) => this.#codec.decode<ResponseOf<Name>>(RPCS[rpc].response, bytes),
      signal,
    });
    try {
      return take(answer, this.#codec);
    } catch (error) {
      throw isEngineError(error, "PROVIDER_FAILED") ? this.#misfit(name, error) : error;
    }
  }

  #misfit(name: string, cause: Error): EngineError {
    const what = `returned an invalid answer to ${name}: ${cause.message}`;
    return new EngineError("PROVIDER_FAILED", `The provider "${this.#provider}" ${what}`, { cause });
  }
}
