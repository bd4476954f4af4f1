import type { Kysely } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { foundation } from './001-foundation.ts';
import { statistics } from './002-statistics.ts';
import { demonstrations } from './003-demonstrations.ts';
import { addressImpressions } from './004-address-impressions.ts';
import { answersInOrder } from './005-answers-in-order.ts';
import { ownersInLog } from './006-owners-in-log.ts';
import { hoursByDay } from './007-hours-by-day.ts';
import { objectsOfADay } from './008-objects-of-a-day.ts';
import { countsOfLimits } from './009-counts-of-limits.ts';
import { promisedAmounts } from './010-promised-amounts.ts';

/** One step of the database's form; steps are never changed once released, only followed by others. */
type Migration = (database: Database, connection: Kysely<Schema>) => Promise<void>;

/** Every migration by name, in order. */
export const migrations: readonly (readonly [name: string, step: Migration])[] = [
  ['001-foundation', foundation],
  ['002-statistics', statistics],
  ['003-demonstrations', demonstrations],
  ['004-address-impressions', addressImpressions],
  ['005-answers-in-order', answersInOrder],
  ['006-owners-in-log', ownersInLog],
  ['007-hours-by-day', hoursByDay],
  ['008-objects-of-a-day', objectsOfADay],
  ['009-counts-of-limits', countsOfLimits],
  ['010-promised-amounts', promisedAmounts],
];
