import type { LookupAddress } from 'node:dns';
import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { hostname } from 'node:os';

/** By resolv.conf(5). */
export interface Completion {
  /** Domains to append, in order. */
  readonly search: readonly string[];
  /** A name with this many dots is first tried as given. */
  readonly ndots: number;
}

export interface SystemNames {
  /** By lower-case name. */
  readonly hosts: ReadonlyMap<string, readonly LookupAddress[]>;
  /** The same object until resolv.conf changes. */
  readonly completion: Completion;
}

const ndotsMax = 15;
const fieldsOf = (line: string) => line.split(/[#;]/, 1).join('').split(/\s+/).filter(Boolean);

/** Skips lines that do not begin with an address. @internal */
export function readHosts(text: string): ReadonlyMap<string, readonly LookupAddress[]> {
  const hosts = new Map<string, LookupAddress[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = fieldsOf(line);
    const family = isIP(address);
    if (family === 0) continue;
    for (const name of new Set(names.map((each) => each.toLowerCase())))
      hosts.set(name, [...(hosts.get(name) ?? []), { address, family }]);
  }
  return hosts;
}

/** Without the servers, which c-ares reads. Without `search` or `domain`, uses the domain of `host`. @internal */
export function readCompletion(text: string, host: string): Completion {
  let search = [host.split('.').slice(1).join('.')];
  let ndots = 1;
  for (const line of text.split('\n')) {
    const [key, ...values] = fieldsOf(line);
    if (key === 'search' || key === 'domain') search = values;
    if (key !== 'options') continue;
    for (const value of values)
      if (/^ndots:\d{1,4}$/.test(value)) ndots = Math.min(ndotsMax, Number(value.slice('ndots:'.length)));
  }
  return { search: search.map((domain) => domain.replace(/\.$/, '')).filter(Boolean), ndots };
}

const hostsPath = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';
const resolvConfPath = '/etc/resolv.conf';
const recheckMs = 5_000;

/** `read` of a file's content, repeated when the file changes; a missing file reads as `''`. */
function followed<T>(path: string, read: (text: string) => T): () => T {
  let version = '';
  let content = read('');
  return () => {
    const stat = statSync(path, { throwIfNoEntry: false });
    const current = stat === undefined ? '' : `${stat.ino} ${stat.size} ${stat.mtimeMs}`;
    if (current !== version) {
      content = read(stat === undefined ? '' : readFileSync(path, 'utf8'));
      version = current;
    }
    return content;
  };
}

/** Checks the files every five seconds. `now`: milliseconds, never going back. */
export function followSystemNames(now: () => number): () => SystemNames {
  const hosts = followed(hostsPath, readHosts);
  const completion = followed(resolvConfPath, (text) => readCompletion(text, hostname()));
  let names: SystemNames | undefined;
  let checkedMs = 0;
  return () => {
    if (names === undefined || now() - checkedMs >= recheckMs) {
      names = { hosts: hosts(), completion: completion() };
      checkedMs = now();
    }
    return names;
  };
}
