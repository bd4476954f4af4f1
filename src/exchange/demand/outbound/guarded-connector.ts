import type { LookupAddress, LookupAllOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { addressLiteral, isPrivateAddress } from './private-address.ts';

/** Resolves a name to all of its addresses, as `dns.lookup` does. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Code of the error with which a connection to a private address fails. */
export const privateAddressCode = 'PRIVATE_ADDRESS';

const refused = (host: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`${host} leads to no public address`), { code: privateAddressCode });

/** A lookup that knows public addresses only: the connection goes to what was checked, and nothing resolves it again. */
function publicLookup(resolve: Resolve, isPrivate: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      const open = addresses.filter(({ address }) => !isPrivate(address));
      const [first] = open;
      if (first === undefined) return callback(refused(hostname), []);
      return options.all ? callback(null, open) : callback(null, first.address, first.family);
    });
  };
}

/** How connections are made. */
export interface ConnectorOptions {
  /** Whether private addresses are connected to as well. */
  readonly allowPrivate: boolean;
  readonly timeoutMs: number;
  readonly resolve: Resolve;
  /** Which addresses are private; those that `isPrivateAddress` says. */
  readonly isPrivate?: (address: string) => boolean;
}

/**
 * Connects to public addresses only, unless private ones are allowed, whatever a name resolves to at that moment;
 * others fail with `PRIVATE_ADDRESS`.
 */
export function guardedConnector(options: ConnectorOptions): buildConnector.connector {
  const { allowPrivate, timeoutMs, resolve } = options;
  const isPrivate = allowPrivate ? () => false : (options.isPrivate ?? isPrivateAddress);
  const connect = buildConnector({
    timeout: timeoutMs,
    lookup: publicLookup(resolve, isPrivate),
  } as buildConnector.BuildOptions);
  return (target, callback) => {
    const literal = addressLiteral(target.hostname);
    if (literal !== undefined && isPrivate(literal)) callback(refused(literal), null);
    else connect(target, callback);
  };
}
