import { after, before, describe } from 'node:test';
import { type SharedPostgres, sharedPostgres } from '../support/postgres.ts';
import { storeContract } from './contract.ts';
import { postgres } from './postgres-engine.ts';

let server: SharedPostgres;

describe('PostgreSQL', () => {
  before(async () => {
    server = await sharedPostgres();
  });
  after(() => server.remove());
  storeContract(postgres(() => server));
});
