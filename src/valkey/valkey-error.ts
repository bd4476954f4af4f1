/** Away or too slow; whether it did what it was asked is unknown. */
export class ValkeyUnavailable extends Error {}

/** Waiting does not help. The message is one line, without a password. */
export class UnusableValkey extends Error {}

/** Refuses who we are, or what we may do. */
const ofSetting = /^(WRONGPASS|NOAUTH|NOPERM|ERR (AUTH|DB index|SELECT|invalid password|Client sent AUTH))/;
/** Replaced by another server, or not ready: we look again who is there. */
const ofServer = /^(READONLY|LOADING|MASTERDOWN|CLUSTERDOWN|NOREPLICAS)/;
const lineMax = 300;

const lineOf = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]?.slice(0, lineMax) ?? '';

export const isNotServing = (error: unknown): boolean => ofServer.test(lineOf(error));

/** `UnusableValkey` if the setting is wrong. */
export function reasonOfNoConnection(error: unknown): ValkeyUnavailable | UnusableValkey {
  if (error instanceof UnusableValkey || error instanceof ValkeyUnavailable) return error;
  const line = lineOf(error);
  if (ofSetting.test(line)) return new UnusableValkey(`it answers ${line}`, { cause: error });
  if (/^(Protocol|Unknown RESP type|Unexpected)/i.test(line)) {
    return new UnusableValkey('what answers there is no Valkey and no Redis', { cause: error });
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return new ValkeyUnavailable(line || code, { cause: error });
}
