import { promises as dns, type LookupAddress } from 'node:dns';
import type { Resolve } from './guarded-connector.ts';
import { type Completion, followSystemNames, type SystemNames } from './system-names.ts';

/** How names are resolved. By default the system's clock, servers and files are used. */
export interface ResolveOptions {
  /** Milliseconds, never going back. */
  readonly now?: () => number;
  /** Addresses of DNS servers, as `127.0.0.1:5353`. */
  readonly servers?: readonly string[];
  readonly systemNames?: () => SystemNames;
}

/** A DNS server is asked twice: the first wait is a second, the next two. */
const resolverOptions = { timeout: 1_000, tries: 2 };
const namesMax = 4_096;
const keptMaxMs = 300_000;

const loopback: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** The addresses of a name, and the time until which they may be kept. */
interface ResolvedName {
  readonly addresses: readonly LookupAddress[];
  readonly endMs: number;
}

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** Error codes that mean that the name, or an address of that family, does not exist. */
const notFound: ReadonlySet<string | undefined> = new Set(['ENOTFOUND', 'ENODATA']);

/** The more telling of two errors: one that says more than that the name does not exist. */
const moreTelling = (one: unknown, other: unknown) => (notFound.has(codeOf(one)) ? other : one);

/** Asks for both families, and puts IPv4 first, as many hosts have no IPv6. Half an answer is not kept. */
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

/** The names to ask DNS for, in order: the name as it stands, and completed by the search domains. */
function completed(name: string, { search, ndots }: Completion): readonly string[] {
  if (name.endsWith('.')) return [name];
  const longer = search.map((domain) => `${name}.${domain}`);
  return name.split('.').length > ndots ? [name, ...longer] : [...longer, name];
}

/** What DNS says of the first name that it knows. After a timeout no further name is asked for. */
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

/** Asks DNS, and keeps its answers while they are valid. Callers that want the same name at once share one question. */
function createDnsNames(servers: readonly string[] | undefined, now: () => number) {
  const known = new Map<string, ResolvedName>();
  const asked = new Map<string, Promise<ResolvedName>>();
  let completion: Completion | undefined;
  let resolver: dns.Resolver;
  /** Makes a new resolver, which reads resolv.conf again. */
  const renew = (current: Completion) => {
    completion = current;
    resolver = new dns.Resolver(resolverOptions);
    if (servers !== undefined) resolver.setServers(servers);
  };
  const keep = (name: string, found: ResolvedName) => {
    if (found.endMs <= now()) return;
    const [oldest] = known.keys();
    if (known.size >= namesMax && oldest !== undefined) known.delete(oldest);
    known.set(name, found);
  };
  const ask = async (name: string, current: Completion): Promise<ResolvedName> => {
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
 * whole process, and a name whose DNS server does not answer blocks one of them for many seconds.
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
