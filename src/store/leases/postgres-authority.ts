import pg from 'pg';
import {
  type HolderAnswer,
  type HolderReport,
  type LimitAuthority,
  type LimitReport,
  measures,
  UnknownHolder,
} from '../../leases/authority.ts';
import { checkLevels, placeOf, shardOf } from '../../leases/parts.ts';
import { applySessionSettings, keepAliveSeconds } from '../dialects/postgres-session.ts';
import * as statements from './statements.ts';

/** One for reports, and one for all else. */
const connectionsMax = 2;
/** With the next, the longest that anything may take: by then callers have used up what they hold. */
const connectMsMax = 4000;
const statementMsMax = 5500;
const bigintType = 20;

/** Numbers stay below 2^53. */
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === bigintType ? Number : pg.types.getTypeParser(oid, format as 'text'),
};

type Sent = readonly [text: string, values?: readonly unknown[]];

const measurePlaces = new Map(measures.map((measure, index) => [measure, index + 1]));
const levelColumns = ['line', 'before', 'counted', 'unlimited', 'used', 'open', 'unused', 'wanted'] as const;

/** A list for each column; kinds and measures by place (from 1) among their names. */
function textOf(limits: readonly LimitReport[], kinds: readonly string[]): string {
  const kindPlaces = new Map(kinds.map((kind, index) => [kind, index + 1]));
  const columns = [
    limits.map(({ kind }) => kindPlaces.get(kind)),
    limits.map(({ id }) => id),
    limits.map(({ measure }) => measurePlaces.get(measure)),
    limits.map(({ day }) => day),
    ...levelColumns.map((level) => limits.map((limit) => limit[level] ?? 'null')),
  ];
  return columns.map((column) => column.join()).join(';');
}

/** Lists as text, null if nothing was said. */
interface AnswerRow {
  readonly isKnown: boolean;
  readonly counts: boolean;
  readonly wantsWhole: boolean;
  readonly epoch: string;
  readonly holders: number;
  readonly recalled: string | null;
  readonly granted: string | null;
  readonly excess: string | null;
  readonly before: string | null;
  readonly contested: string | null;
  readonly others: string | null;
  readonly known: string | null;
}

function answerOf({ wantsWhole, epoch, holders, recalled, ...lists }: AnswerRow): HolderAnswer {
  const [excesses, befores, contests, used, known] = [
    lists.excess,
    lists.before,
    lists.contested,
    lists.others,
    lists.known,
  ].map((list) => list?.split(',') ?? []);
  const grants = (lists.granted?.split(',') ?? []).map((amount, index) => ({
    granted: Number(amount),
    excess: Number(excesses?.[index]),
    isContested: contests?.[index] === '1',
    before: Number(befores?.[index]),
    others: Number(used?.[index]),
    isKnown: known?.[index] === '1',
  }));
  const objects = (recalled?.split(',') ?? []).map((text) => {
    const [kind = '', id] = text.split(':');
    return { kind, id: Number(id) };
  });
  return { grants, wantsWhole, epoch, holders, recalled: objects };
}

function openPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    connectionTimeoutMillis: connectMsMax,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveSeconds * 1000,
    types,
    max: connectionsMax,
    application_name: 'bourse-limits',
    pipeline: true,
    query_timeout: statementMsMax,
    onConnect: applySessionSettings,
  });
  // A broken connection fails its statement and is replaced; without listeners it would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** At once, as one transaction. Returns the rows of the last one. */
async function transact(pool: pg.Pool, sent: readonly Sent[]): Promise<readonly unknown[]> {
  const client = await pool.connect();
  const { stream } = (client as unknown as { connection: { stream: import('node:net').Socket } }).connection;
  stream.cork();
  const answers = [
    client.query(statements.begin),
    ...sent.map(([text, values = []]) =>
      client.query({ text, values: [...values], name: statementName(text) }),
    ),
    client.query('commit'),
  ];
  stream.uncork();
  const ended = await Promise.allSettled(answers);
  const failed = ended.find((one) => one.status === 'rejected');
  // An unfinished transaction ends with its connection.
  client.release(failed !== undefined);
  if (failed) throw failed.reason;
  const last = ended.at(-2);
  return last?.status === 'fulfilled' ? last.value.rows : [];
}

const names = new Map<unknown, string>(
  Object.entries(statements).map(([name, text]) => [text, `limits_${name}`]),
);
/** A connection parses a named statement only once. */
const statementName = (text: string) => names.get(text);

/**
 * On a PostgreSQL database (decisions/0020). A part is one transaction, sent at once: one round trip. While the
 * database is away, everything rejects within ten seconds. `now`: tests' clock; otherwise the database's counts.
 */
export function createPostgresAuthority({
  url,
  now,
}: {
  readonly url: string;
  readonly now?: () => number;
}): LimitAuthority {
  const pool = openPool(url);
  const nowMs = () => now?.() ?? null;
  const change = (...sent: readonly Sent[]) => transact(pool, [[statements.wait], ...sent]);
  /** Others come in between. */
  const changeAll = async (...sent: readonly Sent[]) => {
    for (let count = statements.rowsMax; count >= statements.rowsMax; )
      [{ count }] = (await change(...sent)) as readonly [{ readonly count: number }];
  };
  return {
    async join() {
      const rows = await change([statements.notice, [nowMs()]], [statements.join, [nowMs()]]);
      return (rows[0] as { readonly id: number }).id;
    },
    async report({ holder, turn, resolved, whole, limits }: HolderReport) {
      checkLevels(limits);
      const kinds = [...new Set(limits.map(({ kind }) => kind))];
      const shards = [...new Set(limits.map(({ id }) => shardOf(placeOf(id))))].toSorted((a, b) => a - b);
      const { from = null, to = null, epoch = null } = whole ?? {};
      const { ad, offer } = resolved;
      const values = [holder, turn, kinds, [...measures], nowMs(), ad, offer, from, to, epoch];
      const rows = await transact(pool, [
        [statements.bring, [textOf(limits, kinds)]],
        [statements.waitForShards, [shards]],
        [statements.share],
        [statements.notice, [nowMs()]],
        [statements.report, values],
      ]);
      const answer = rows[0] as AnswerRow;
      if (!answer.isKnown) throw new UnknownHolder(`the authority does not know holder ${holder}`);
      if (!answer.counts) throw new Error(`a later report of holder ${holder} has already arrived`);
      return answerOf(answer);
    },
    async leave(holder) {
      await changeAll([statements.leave, [holder]], [statements.free, [holder]]);
    },
    async gone() {
      const rows = (await transact(pool, [[statements.gone, [nowMs()]]])) as readonly {
        readonly [name in 'holder' | 'ad' | 'offer' | 'lastMs']: number;
      }[];
      return rows.map(({ holder, ad, offer, lastMs }) => ({ holder, resolved: { ad, offer }, lastMs }));
    },
    async settle(holder, billed) {
      await changeAll(
        [statements.end, [holder, nowMs()]],
        [statements.settle, [holder, JSON.stringify(billed)]],
      );
    },
    async forget(beforeDay) {
      await changeAll([statements.forget, [beforeDay]]);
    },
    close: () => pool.end(),
  };
}
