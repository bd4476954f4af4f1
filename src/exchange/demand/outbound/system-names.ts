import type { LookupAddress } from 'node:dns';
import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { hostname } from 'node:os';

/** How names are completed before DNS is asked, as resolv.conf tells (resolv.conf(5)). */
export interface Completion {
  /** Domains that are appended, in their order. */
  readonly search: readonly string[];
  /** A name with this many dots is first asked for as it stands. */
  readonly ndots: number;
}

/** What a system knows of names beside DNS. */
export interface SystemNames {
  /** Of lower-case names. */
  readonly hosts: ReadonlyMap<string, readonly LookupAddress[]>;
  /** The same object until resolv.conf changes. */
  readonly completion: Completion;
}

const ndotsMax = 15;
const fieldsOf = (line: string) => line.split(/[#;]/, 1).join('').split(/\s+/).filter(Boolean);

/** Reads a hosts file; lines that tell no address are passed over. */
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

/** Reads resolv.conf, but for its servers, which c-ares reads; without a `search` it is the domain of `host`. */
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

/** A file's content as `read` takes it, read again when the file has changed; `''` where there is none. */
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

/** The names of this machine, as of five seconds ago at most. `now` is in milliseconds and never goes back. */
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
