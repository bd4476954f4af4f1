import type { Config } from '../../config.ts';

/** True on a database server. */
export const areLimitsShared = ({ databaseUrl }: Pick<Config, 'databaseUrl'>): boolean =>
  databaseUrl.startsWith('postgres');
