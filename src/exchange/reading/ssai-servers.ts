import { memoizeWeak } from '../memoize-weak.ts';
import { nonEmptyLines } from '../non-empty-lines.ts';
import type { Caller } from './caller.ts';
import { parseIpAddress } from './ip-address.ts';
import { ipRangeOf, isInRange } from './ip-range.ts';

interface WithServers {
  readonly settings: { readonly SsaiServers?: string | undefined };
}

type IsServer = (caller: Caller) => boolean;

/** A line is an address, a range, or how a user agent begins. */
const serversOf = memoizeWeak(({ settings }: WithServers): IsServer => {
  const lines = nonEmptyLines(settings.SsaiServers);
  const ranges = lines.flatMap((line) => ipRangeOf(line) ?? []);
  const agents = lines.filter((line) => ipRangeOf(line) === undefined);
  return ({ ip: text, userAgent }) => {
    const ip = ranges.length > 0 ? parseIpAddress(text) : undefined;
    return (
      (ip && ranges.some((range) => isInRange(range, ip))) || agents.some((it) => userAgent.startsWith(it))
    );
  };
});

/** Behind a server that inserts ads into streams (`SsaiServers`): the device that it asks for, as far as it says. */
export function clientOf(supply: WithServers, caller: Caller): Caller {
  if (!supply.settings.SsaiServers || !serversOf(supply)(caller)) return caller;
  return { ...caller, ...caller.device, cookie: '', lacksUserAgent: false };
}
