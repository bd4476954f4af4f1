import { promises as dns, type LookupAddress } from 'node:dns';
import type { Resolve } from './guarded-connector.ts';
import { type Completion, followSystemNames, type SystemNames } from './system-names.ts';

/** How names are resolved. What is left out is the system's. */
export interface ResolveOptions {
  /** Milliseconds, never going back. */
  readonly now?: () => number;
  /** Addresses of DNS servers, as `127.0.0.1:5353`. */
  readonly servers?: readonly string[];
  readonly systemNames?: () => SystemNames;
}

/** DNS is asked twice, and waited for a second, then two. */
const patience = { timeout: 1_000, tries: 2 };
const namesMax = 4_096;
const keptMaxMs = 300_000;

const loopback: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** What was found, and for how long it holds. */
interface Found {
  readonly addresses: readonly LookupAddress[];
  readonly endMs: number;
}

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** Codes by which DNS says that a name, or an address of that family, is not there. */
const notThere: ReadonlySet<string | undefined> = new Set(['ENOTFOUND', 'ENODATA']);

/** The error that says most of two: one that is more than an absence. */
const worse = (one: unknown, other: unknown) => (notThere.has(codeOf(one)) ? other : one);

/** IPv4 first, as hosts without IPv6 are many. What is only half of the answer does not hold. */
async function askDns(resolver: dns.Resolver, name: string, nowMs: number): Promise<Found> {
  const [v4, v6] = await Promise.allSettled([
    resolver.resolve4(name, { ttl: true }),
    resolver.resolve6(name, { ttl: true }),
  ]);
  if (v4.status === 'rejected' && v6.status === 'rejected') throw worse(v4.reason, v6.reason);
  const addresses: LookupAddress[] = [];
  let keptMs = keptMaxMs;
  for (const [answer, family] of [[v4, 4] as const, [v6, 6] as const]) {
    if (answer.status === 'rejected') {
      if (!notThere.has(codeOf(answer.reason))) keptMs = 0;
      continue;
    }
    for (const { address, ttl } of answer.value) {
      addresses.push({ address, family });
      keptMs = Math.min(keptMs, ttl * 1_000);
    }
  }
  return { addresses, endMs: nowMs + keptMs };
}

/** A name as DNS is to be asked for it, one after another. */
function completed(name: string, { search, ndots }: Completion): readonly string[] {
  if (name.endsWith('.')) return [name];
  const longer = search.map((domain) => `${name}.${domain}`);
  return name.split('.').length > ndots ? [name, ...longer] : [...longer, name];
}

/** The first name that DNS knows; where it keeps silent nothing further is asked. */
async function askInTurn(resolver: dns.Resolver, names: readonly string[], nowMs: number): Promise<Found> {
  let failure: unknown;
  for (const name of names) {
    try {
      return await askDns(resolver, name, nowMs);
    } catch (error) {
      failure = failure === undefined ? error : worse(failure, error);
      if (codeOf(error) === dns.TIMEOUT) break;
    }
  }
  throw failure;
}

/** Asks DNS, and keeps what it answers for as long as that holds; those who want the same name at once share the question. */
function createDnsNames(servers: readonly string[] | undefined, now: () => number) {
  const known = new Map<string, Found>();
  const asked = new Map<string, Promise<Found>>();
  let completion: Completion | undefined;
  let resolver: dns.Resolver;
  /** A new resolver has read resolv.conf anew. */
  const renew = (current: Completion) => {
    completion = current;
    resolver = new dns.Resolver(patience);
    if (servers !== undefined) resolver.setServers(servers);
  };
  const keep = (name: string, found: Found) => {
    if (found.endMs <= now()) return;
    const [oldest] = known.keys();
    if (known.size >= namesMax && oldest !== undefined) known.delete(oldest);
    known.set(name, found);
  };
  const ask = async (name: string, current: Completion): Promise<Found> => {
    try {
      const found = await askInTurn(resolver, completed(name, current), now());
      keep(name, found);
      return found;
    } finally {
      asked.delete(name);
    }
  };
  return async (name: string, current: Completion): Promise<readonly LookupAddress[]> => {
    if (current !== completion) renew(current);
    const found = known.get(name);
    if (found !== undefined && found.endMs > now()) return found.addresses;
    known.delete(name);
    const answer = asked.get(name) ?? ask(name, current);
    if (!asked.has(name)) asked.set(name, answer);
    return (await answer).addresses;
  };
}

const isLocalhost = (name: string) => name === 'localhost' || name.endsWith('.localhost');

/**
 * Resolves names by the hosts file and DNS, as the system does, but without its threads: `dns.lookup` has two for the
 * whole process, and one name that DNS keeps silent about holds one of them for many seconds.
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
