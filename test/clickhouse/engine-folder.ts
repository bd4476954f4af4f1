import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The version of the npm package `chdb`, ClickHouse in a library, that tests run on. */
export const chdbVersion = '3.4.0';

/** Where `scripts/install-clickhouse.ts` puts it: 550 MB, so outside the repository, and once for all checkouts. */
export const chdbFolder: string = join(
  process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
  `bourse-chdb-${chdbVersion}`,
);

/** Why tests on ClickHouse are skipped; false where it is there. */
export const isAbsent: string | false = existsSync(join(chdbFolder, 'node_modules/chdb/package.json'))
  ? false
  : 'there is no ClickHouse to test on: `npm run install:clickhouse` fetches it';
