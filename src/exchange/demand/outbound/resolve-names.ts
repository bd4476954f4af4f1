import { promises as dns, type LookupAddress } from 'node:dns';
import { createRecentCache } from '../../../shared/recent-cache.ts';
import type { Resolve } from './guarded-connector.ts';
import { type Completion, followSystemNames, type SystemNames } from './system-names.ts';

/** By default the system's clock, servers and files. */
export interface ResolveOptions {
  /** Never goes back. */
  readonly now?: () => number;
  /** As `127.0.0.1:5353`. */
  readonly servers?: readonly string[];
  readonly systemNames?: () => SystemNames;
}

/** Asks a DNS server twice, waiting one second, then two. */
const resolverOptions = { timeout: 1_000, tries: 2 };
const namesMax = 4_096;
const keptMaxMs = 300_000;

const loopback: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** With the time until which they may be cached. */
interface ResolvedName {
  readonly addresses: readonly LookupAddress[];
  readonly endMs: number;
}

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** Codes for a name, or its addresses of a family, that does not exist. */
const notFound: ReadonlySet<string | undefined> = new Set(['ENOTFOUND', 'ENODATA']);

/** Prefers the error that says more than that the name does not exist. */
const moreTelling = (one: unknown, other: unknown) => (notFound.has(codeOf(one)) ? other : one);

/** IPv4 first, because many hosts have no IPv6. Half an answer is not cached. */
async function askDns(resolver: dns.Resolver, name: string, nowMs: number): Promise<ResolvedName> {
  const [v4, v6] = await Promise.allSettled([
    resolver.resolve4(name, { ttl: true }),
    resolver.resolve6(name, { ttl: true }),
  ]);
  if (v4.status === 'rejected' && v6.status === 'rejected') throw moreTelling(v4.reason, v6.reason);
  const addresses: LookupAddress[] = [];
  let keptMs = keptMaxMs;
  for (const [answer, family] of [[v4, 4] as const, [v6, 6] as const]) {
    if (answer.status === 'rejected') {
      if (!notFound.has(codeOf(answer.reason))) keptMs = 0;
      continue;
    }
    for (const { address, ttl } of answer.value) {
      addresses.push({ address, family });
      keptMs = Math.min(keptMs, ttl * 1_000);
    }
  }
  return { addresses, endMs: nowMs + keptMs };
}

/** The names to ask DNS for, in order: as given, and with the search domains. */
function completed(name: string, { search, ndots }: Completion): readonly string[] {
  if (name.endsWith('.')) return [name];
  const longer = search.map((domain) => `${name}.${domain}`);
  return name.split('.').length > ndots ? [name, ...longer] : [...longer, name];
}

/** The first name that DNS knows. After a timeout it asks for no further name. */
async function askInTurn(
  resolver: dns.Resolver,
  names: readonly string[],
  nowMs: number,
): Promise<ResolvedName> {
  let failure: unknown;
  for (const name of names) {
    try {
      return await askDns(resolver, name, nowMs);
    } catch (error) {
      failure = failure === undefined ? error : moreTelling(failure, error);
      if (codeOf(error) === dns.TIMEOUT) break;
    }
  }
  throw failure;
}

/** Caches DNS answers while they are valid, and asks once for the same name. */
function createDnsNames(servers: readonly string[] | undefined, now: () => number) {
  const known = createRecentCache<string, ResolvedName>(namesMax);
  const asked = new Map<string, Promise<ResolvedName>>();
  let completion: Completion | undefined;
  let resolver: dns.Resolver;
  /** Reads resolv.conf again. */
  const renew = (current: Completion) => {
    completion = current;
    resolver = new dns.Resolver(resolverOptions);
    if (servers !== undefined) resolver.setServers(servers);
  };
  const ask = async (name: string, current: Completion): Promise<ResolvedName> => {
    try {
      const found = await askInTurn(resolver, completed(name, current), now());
      if (found.endMs > now()) known.set(name, found);
      return found;
    } finally {
      asked.delete(name);
    }
  };
  return async (name: string, current: Completion): Promise<readonly LookupAddress[]> => {
    if (current !== completion) renew(current);
    const found = known.get(name);
    if (found !== undefined && found.endMs > now()) return found.addresses;
    const answer = asked.get(name) ?? ask(name, current);
    if (!asked.has(name)) asked.set(name, answer);
    return (await answer).addresses;
  };
}

const isLocalhost = (name: string) => name === 'localhost' || name.endsWith('.localhost');

/**
 * Resolves by hosts file and DNS without the system's threads: `dns.lookup` has two for the whole process, and a dead
 * DNS server blocks one for seconds.
 */
export function createResolve(options: ResolveOptions = {}): Resolve {
  const { now = () => performance.now(), servers } = options;
  const { systemNames = followSystemNames(now) } = options;
  const ask = createDnsNames(servers, now);
  const find = async (hostname: string): Promise<readonly LookupAddress[]> => {
    const { hosts, completion } = systemNames();
    const name = hostname.toLowerCase();
    const plain = name.replace(/\.$/, '');
    return hosts.get(plain) ?? (isLocalhost(plain) ? loopback : ask(name, completion));
  };
  return (hostname, _options, callback) => {
    find(hostname).then(
      (addresses) => callback(null, [...addresses]),
      (error) => callback(error, []),
    );
  };
}
