import { after, before } from 'node:test';
import pg from 'pg';
import { createPostgresAuthority } from '../../src/store/leases/postgres-authority.ts';
import { migratedPostgres } from '../support/migrated-database.ts';
import { type SharedPostgres, sharedPostgres } from '../support/postgres.ts';
import { type AuthorityRoom, authorityContract } from './authority-contract.ts';

const startMs = Date.UTC(2026, 10, 24);
let server: SharedPostgres;
let url: string;

before(async () => {
  server = await sharedPostgres();
  url = await migratedPostgres(server.url);
});
after(() => server.remove());

const empty = 'truncate limit_holder, limit_resource, limit_holding';
const anew = `update limit_state set server = '', epoch = 0, since = 0, quiet_until = 0, last_holder = 0`;

/** A row of each table: what the planner believes there is, until it counts again. Nothing may be slow by that. */
const fewCounted = `
  insert into limit_holder values (1, 0, 0, 0, 0, 0, 0);
  insert into limit_resource (kind, object_id, measure, day, before) values ('campaign', 1, 'impressions', 1, 0);
  insert into limit_holding values (1, 1, 0, 0, 0, null);
  analyze limit_holder, limit_resource, limit_holding;
  delete from limit_holder; delete from limit_resource; delete from limit_holding`;

/** One database for all rooms, each of which begins with empty tables. */
async function openRoom(): Promise<AuthorityRoom> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`${empty}; ${anew}; ${fewCounted}`);
  let nowMs = startMs;
  const open = () => createPostgresAuthority({ url, now: () => nowMs });
  let authority = open();
  return {
    authority: () => authority,
    now: () => nowMs,
    pass: (ms) => {
      nowMs += ms;
    },
    restart: async () => {
      await authority.close();
      authority = open();
    },
    failOver: async () => void (await client.query("update limit_state set server = 'another'")),
    loseAll: async () =>
      void (await client.query(`${empty}; ${anew}; update limit_state set server = 'another'`)),
    close: async () => {
      await authority.close();
      await client.end();
    },
  };
}

authorityContract('an authority on PostgreSQL', openRoom, 25);
