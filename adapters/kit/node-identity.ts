/** Checks the certificates of the nodes of a cluster. */
import { isIP } from "node:net";
import { checkServerIdentity, type PeerCertificate } from "node:tls";

/**
 * Returns the check for `tls.connect()`. A cluster announces its nodes, often by address, while certificates are for
 * names. So a node that is announced by address may have the certificate of the host that was named in the URL.
 */
export function nodeIdentity(host: string): (name: string, certificate: PeerCertificate) => Error | undefined {
  return (name, certificate) => {
    const error = checkServerIdentity(name, certificate);
    return error && isIP(name) !== 0 ? checkServerIdentity(host, certificate) : error;
  };
}
