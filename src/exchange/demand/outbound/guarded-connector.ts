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

/** A lookup that returns public addresses only. The connection goes to one of them; the name is not resolved again. */
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

export interface ConnectorOptions {
  /** Whether connections to private addresses are allowed, too. */
  readonly allowPrivate: boolean;
  readonly timeoutMs: number;
  readonly resolve: Resolve;
  /** Which addresses are private; by default `isPrivateAddress`. */
  readonly isPrivate?: (address: string) => boolean;
}

export interface Guard {
  /** The error of a connection to this host, where it is a private address as it stands. */
  refusalOf(hostname: string): Error | undefined;
  /** Finds the public addresses of a name; an error with `privateAddressCode` where it has no other. */
  readonly lookup: LookupFunction;
}

/**
 * Lets connections lead to public addresses only, unless private ones are allowed. A name is checked by the addresses to
 * which it resolves at that moment.
 */
export function createGuard(options: Omit<ConnectorOptions, 'timeoutMs'>): Guard {
  const { allowPrivate, resolve } = options;
  const isPrivate = allowPrivate ? () => false : (options.isPrivate ?? isPrivateAddress);
  return {
    refusalOf(hostname) {
      const literal = addressLiteral(hostname);
      return literal !== undefined && isPrivate(literal) ? refused(literal) : undefined;
    },
    lookup: publicLookup(resolve, isPrivate),
  };
}

/** Connects undici as the guard allows; else the connection fails with `privateAddressCode`. */
export function guardedConnector(options: ConnectorOptions): buildConnector.connector {
  const { refusalOf, lookup } = createGuard(options);
  const connect = buildConnector({ timeout: options.timeoutMs, lookup } as buildConnector.BuildOptions);
  return (target, callback) => {
    const refusal = refusalOf(target.hostname);
    if (refusal !== undefined) callback(refusal, null);
    else connect(target, callback);
  };
}
