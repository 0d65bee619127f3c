/** Calls a provider over gRPC. */
import { join, resolve } from "node:path";
import type { ChannelOptions, Client, Metadata, ServiceError } from "@grpc/grpc-js";
import { isMissing, messageOf, packageMissing, sleep, withDeadline } from "../../../../core/base/index.js";
import { maskedStart } from "../../../secrets/redactor.js";
import type { OwnCertificate } from "./certificate.js";
import type { Handshake } from "./handshake.js";
import type { ProviderProcess } from "./provider-process.js";

type Grpc = typeof import("@grpc/grpc-js");

const DRIVER = "@grpc/grpc-js";
/** Maximum bytes of an answer. The largest schemas have tens of millions. */
const LARGEST_ANSWER = 256 * 1024 * 1024;
/** Milliseconds to wait for the end of a process: after the end of its connection, and after any other error. */
const [SOON, AT_ONCE] = [1_000, 50];
/** Maximum milliseconds to connect. */
const CONNECT = 10_000;

/** Health check of the usual server library. Here it only tests that a server answers. */
const HEALTH = "/grpc.health.v1.Health/Check";
const PLUGIN = Buffer.from([0x0a, 6, ...Buffer.from("plugin")]);

/** Codes of gRPC. */
const [CANCELLED, UNIMPLEMENTED, UNAVAILABLE] = [1, 12, 14];

const OPTIONS: ChannelOptions = {
  "grpc.max_receive_message_length": LARGEST_ANSWER,
  "grpc.max_send_message_length": -1,
  // The library must not retry a request by itself, because the first one may have taken effect.
  "grpc.enable_retries": 0,
  "grpc.enable_http_proxy": 0,
  "grpc.service_config_disable_resolution": 1,
  "grpc.client_idle_timeout_ms": 2 ** 31 - 1,
  "grpc.use_local_subchannel_pool": 1,
  "grpc.default_authority": "localhost",
  "grpc.ssl_target_name_override": "localhost",
};

/** A request, and the function that reads its answer. */
export interface Call<Answer> {
  readonly path: string;
  /** Name for messages. */
  readonly name: string;
  readonly message: Buffer;
  readonly read: (bytes: Buffer) => Answer;
  readonly signal: AbortSignal | undefined;
}

/** A connection to a provider process that has proved to be the started one. */
export class Connection {
  readonly #client: Client;
  readonly #provider: ProviderProcess;
  readonly #metadata: Metadata;

  private constructor(grpc: Grpc, client: Client, provider: ProviderProcess) {
    this.#client = client;
    this.#provider = provider;
    this.#metadata = new grpc.Metadata();
  }

  static async open(
    grpc: Grpc,
    provider: ProviderProcess,
    handshake: Handshake,
    own: OwnCertificate,
  ): Promise<Connection> {
    const client = new grpc.Client(addressOf(handshake), credentials(grpc, provider, handshake, own), OPTIONS);
    const connection = new Connection(grpc, client, provider);
    try {
      await withDeadline(CONNECT, connection.#knock(), () => new Error(`it took longer than ${CONNECT / 1_000} s`));
    } catch (error) {
      client.close();
      throw provider.failure(`cannot be reached at ${handshake.address}: ${reasonOf(error)}`, error);
    }
    return connection;
  }

  /** @throws EngineError `PROVIDER_FAILED`; when aborted, the signal's reason */
  async call<Answer>({ path, name, message, read, signal }: Call<Answer>): Promise<Answer> {
    signal?.throwIfAborted();
    if (this.#provider.hasEnded) throw await this.#ended(name);
    let stop = (): void => {};
    try {
      return await this.#ask(path, message, read, (cancel) => {
        stop = cancel;
        signal?.addEventListener("abort", cancel, { once: true });
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw await this.#failure(name, error);
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  }

  close(): void {
    this.#client.close();
  }

  /** Makes a first call. Any answer proves that both sides have authenticated each other. */
  async #knock(): Promise<void> {
    try {
      await this.#ask(HEALTH, PLUGIN, asIs);
    } catch (error) {
      const code = codeIn(error);
      if (code === undefined || code === UNAVAILABLE) throw error;
    }
  }

  #ask<Answer>(path: string, message: Buffer, read: (bytes: Buffer) => Answer, onStart?: (stop: () => void) => void) {
    return new Promise<Answer>((resolve, reject) => {
      const call = withoutStack(() =>
        this.#client.makeUnaryRequest(path, asIs, read, message, this.#metadata, {}, (error, answer) =>
          error ? reject(error) : answer === undefined ? reject(new Error("there is no answer")) : resolve(answer),
        ),
      );
      onStart?.(() => call.cancel());
    });
  }

  async #failure(name: string, error: unknown): Promise<Error> {
    // A lost connection mostly means that the process has ended, and its end explains more.
    const waited = new AbortController();
    await Promise.race([this.#provider.ended, sleep(isLost(error) ? SOON : AT_ONCE, waited.signal)]);
    // A remaining timer would keep the program alive.
    waited.abort();
    if (this.#provider.hasEnded) return this.#ended(name, error);
    return this.#provider.failure(`failed to answer ${name}: ${reasonOf(error)}`, error);
  }

  async #ended(name: string, cause?: unknown): Promise<Error> {
    return this.#provider.failure(`${await this.#provider.ended} before it answered ${name}`, cause);
  }
}

/** True if a call failed because the connection was lost: the process has ended, or is about to. */
export function isOfLostConnection(failure: unknown): boolean {
  return failure instanceof Error && isLost(failure.cause);
}

/**
 * Loads the gRPC library when the first provider starts.
 *
 * @throws EngineError `PACKAGE_MISSING`
 */
export async function loadGrpc(): Promise<Grpc> {
  try {
    return await import("@grpc/grpc-js");
  } catch (error) {
    throw isMissing(error, DRIVER) ? packageMissing(DRIVER, error) : error;
  }
}

function credentials(
  { credentials }: Grpc,
  provider: ProviderProcess,
  { certificate, network, address }: Handshake,
  own: OwnCertificate,
): ReturnType<Grpc["credentials"]["createInsecure"]> {
  if (certificate !== undefined) {
    const [trusted, key, chain] = [certificate, own.key, own.certificate].map((one) => Buffer.from(one));
    return credentials.createSsl(trusted, key, chain);
  }
  // A socket in a folder that only its owner can open needs no other protection.
  if (network === "unix" && resolve(address).startsWith(join(provider.sockets, "/")))
    return credentials.createInsecure();
  throw provider.failure(`listens at ${address} without TLS, where other users can reach it`);
}

function addressOf({ network, address }: Handshake): string {
  return network === "unix" ? `unix:${address}` : address;
}

function isLost(error: unknown): boolean {
  const code = codeIn(error);
  return code === CANCELLED || code === UNAVAILABLE;
}

function reasonOf(error: unknown): string {
  const details = isServiceError(error) ? error.details || error.message : messageOf(error);
  return codeIn(error) === UNIMPLEMENTED ? "the provider does not implement this call" : maskedStart(details, 1_000);
}

function codeIn(error: unknown): number | undefined {
  return isServiceError(error) ? error.code : undefined;
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && "code" in error && typeof error.code === "number" && "details" in error;
}

/** The library captures the stack of each request, for errors that are replaced here. */
function withoutStack<Result>(request: () => Result): Result {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return request();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function asIs(message: Buffer): Buffer {
  return message;
}
