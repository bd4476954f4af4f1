import type { Entity } from '../entities/entity.ts';
import { type AccountKind, isAccount } from '../entities/kinds.ts';
import { entities } from '../entities/registry.ts';
import type { StatisticsPath } from '../fields/field.ts';

/** Where it is found, and what it is about. */
export interface StatisticsUrl extends StatisticsPath {
  /** Its username and `StatsAuth` are given. It decides which amount the report shows. */
  readonly account: AccountKind;
  /** The account's entity, or that of the object in `parameter`. */
  readonly kind: string;
}

function reportsOf({ key, owner, fields }: Entity): StatisticsUrl[] {
  const account = owner?.entity ?? key;
  const urls = new Set(
    Object.values(fields).flatMap(({ place }) => (place.kind === 'url' ? [place.report] : [])),
  );
  return [...urls].map((url) => {
    if (!isAccount(account)) throw new Error(`${url.path} needs an account, which ${account} is not`);
    return { ...url, account, kind: key };
  });
}

/** At the paths that entities hand out (reference, "Statistics"). */
export const statisticsUrls: readonly StatisticsUrl[] = entities.flatMap(reportsOf);
