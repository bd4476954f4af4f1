import type { LookupAddress, LookupAllOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { addressLiteral, isPrivateAddress } from './private-address.ts';

/** Like `dns.lookup` with `all`. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export const privateAddressCode = 'PRIVATE_ADDRESS';

const refused = (host: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`${host} leads to no public address`), { code: privateAddressCode });

/** Returns public addresses only. The connection uses one of them without resolving again. */
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
  readonly allowPrivate: boolean;
  readonly timeoutMs: number;
  readonly resolve: Resolve;
  /** By default `isPrivateAddress`. */
  readonly isPrivate?: (address: string) => boolean;
}

export interface Guard {
  /** For a host that is a private address. */
  refusalOf(hostname: string): Error | undefined;
  /** Fails with `privateAddressCode` if a name has no public address. */
  readonly lookup: LookupFunction;
}

/** Allows public addresses only, unless `allowPrivate`. Names are checked as they resolve for the connection. */
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

/** For undici; a refused connection fails with `privateAddressCode`. */
export function guardedConnector(options: ConnectorOptions): buildConnector.connector {
  const { refusalOf, lookup } = createGuard(options);
  const connect = buildConnector({ timeout: options.timeoutMs, lookup } as buildConnector.BuildOptions);
  return (target, callback) => {
    const refusal = refusalOf(target.hostname);
    if (refusal !== undefined) callback(refusal, null);
    else connect(target, callback);
  };
}
