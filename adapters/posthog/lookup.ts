/** Addresses of a host, by a question that can be taken back: the system's own would keep the process until it is answered. */
import { lookup } from "node:dns";
import { Resolver } from "node:dns/promises";
import type { LookupFunction } from "node:net";

/** The name server has answered, or there is none: whatever else the system asks will not take long. */
const ANSWERED = ["ENOTFOUND", "ENODATA", "ECONNREFUSED"];

/** Gives up when the signal says so. */
export function lookupUntil(signal: AbortSignal, resolver: Resolver = new Resolver()): LookupFunction {
  return (host, options, callback) => {
    if (host === "localhost" || host.endsWith(".localhost")) return lookup(host, options, callback);
    find(host, signal, resolver).then(
      (found) => {
        const addresses = found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
        const [first] = addresses;
        if (options.all) callback(null, addresses);
        else callback(null, first?.address ?? "", first?.family);
      },
      (error) => {
        // Names that only this machine knows.
        if (ANSWERED.includes(error?.code) && !signal.aborted) lookup(host, options, callback);
        else callback(error, "");
      },
    );
  };
}

async function find(host: string, signal: AbortSignal, resolver: Resolver): Promise<readonly string[]> {
  signal.throwIfAborted();
  const cancel = (): void => resolver.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    return await resolver.resolve4(host).catch((error: unknown) => {
      // Taken back is no answer.
      if (signal.aborted) throw error;
      return resolver.resolve6(host);
    });
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}
