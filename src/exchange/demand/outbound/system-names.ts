import type { LookupAddress } from 'node:dns';
import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { hostname } from 'node:os';

/** How names are completed before DNS is asked, as resolv.conf tells (resolv.conf(5)). */
export interface Completion {
  /** Domains that are appended, in their order. */
  readonly search: readonly string[];
  /** A name with at least this many dots is first asked for as it stands. */
  readonly ndots: number;
}

/** What the system knows of names without DNS. */
export interface SystemNames {
  /** Addresses by lower-case name. */
  readonly hosts: ReadonlyMap<string, readonly LookupAddress[]>;
  /** The same object until resolv.conf changes. */
  readonly completion: Completion;
}

const ndotsMax = 15;
const fieldsOf = (line: string) => line.split(/[#;]/, 1).join('').split(/\s+/).filter(Boolean);

/** Reads a hosts file; lines that do not begin with an address are skipped. @internal */
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

/** Reads resolv.conf, except its servers, which c-ares reads. Without `search` or `domain`, that of `host` is used. @internal */
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

/** What `read` makes of a file's content, made again when the file has changed; a missing file reads as `''`. */
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

/** This machine's names; its files are checked every five seconds. `now` is in milliseconds and never goes back. */
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
