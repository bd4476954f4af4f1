import { UnusableValkey, ValkeyUnavailable } from './valkey-error.ts';

function readInfo(text: string): ReadonlyMap<string, string> {
  const rows = text.split(/\r?\n/).map((line) => /^(\w+):(.*)$/.exec(line));
  return new Map(rows.flatMap((row) => (row ? [[row[1] ?? '', row[2] ?? ''] as const] : [])));
}

const redisMajorMin = 7;

/**
 * By `INFO`. Throws `UnusableValkey` for a server never usable, `ValkeyUnavailable` for a replica, which may become
 * one. Returns what an operator should fix.
 */
export function assertFit(text: string): string | undefined {
  const info = readInfo(text);
  // Valkey answers this, too: the version of Redis whose commands it has, 7.2.
  const version = info.get('redis_version');
  if (version === undefined) throw new UnusableValkey('what answers there is no Valkey and no Redis');
  if (Number.parseInt(version, 10) < redisMajorMin)
    throw new UnusableValkey(`it is Redis ${version}; Redis 7.0 or Valkey 7.2 is needed, or a newer one`);
  if (info.get('cluster_enabled') === '1')
    throw new UnusableValkey('it is part of a cluster; name a server that is not');
  if (info.get('role') === 'slave') throw new ValkeyUnavailable('it is a replica, which takes no writes');
  const policy = info.get('maxmemory_policy') ?? 'noeviction';
  if (info.get('maxmemory') === '0' || policy === 'noeviction') return undefined;
  return `it forgets what it holds when its memory is full (maxmemory-policy ${policy}); set maxmemory-policy noeviction`;
}
