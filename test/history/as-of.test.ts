import { after, before, describe } from 'node:test';
import { postgres } from '../store/postgres-engine.ts';
import { sqlite } from '../store/sqlite-engine.ts';
import { type SharedPostgres, sharedPostgres } from '../support/postgres.ts';
import { asOfContract } from './as-of-contract.ts';

let server: SharedPostgres;

asOfContract(sqlite, 25);

describe('with a PostgreSQL server', () => {
  before(async () => {
    server = await sharedPostgres();
  });
  after(() => server.remove());
  asOfContract(
    postgres(() => server),
    8,
  );
});
