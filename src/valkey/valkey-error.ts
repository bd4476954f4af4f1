/** A server that did not answer: it is away, or too slow. Whether it has done what it was asked is not known. */
export class ValkeyUnavailable extends Error {}

/** No waiting mends it: who we say we are, or what is there. The message says it in a line, without a password. */
export class UnusableValkey extends Error {}

/** Answers of a server that refuses who we are, or what we may do. */
const ofSetting = /^(WRONGPASS|NOAUTH|NOPERM|ERR (AUTH|DB index|SELECT|invalid password|Client sent AUTH))/;
/** Answers of a server that others serve in place of, or that is not ready: we look again who is there. */
const ofServer = /^(READONLY|LOADING|MASTERDOWN|CLUSTERDOWN|NOREPLICAS)/;
const lineMax = 300;

const lineOf = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]?.slice(0, lineMax) ?? '';

/** Whether a server answers that it cannot serve now. */
export const isNotServing = (error: unknown): boolean => ofServer.test(lineOf(error));

/** Why there is no connection: a `UnusableValkey` where that is a matter of the setting. */
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
