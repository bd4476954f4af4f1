import { after, before, describe } from 'node:test';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { storeContract } from './contract.ts';
import { postgres } from './postgres-engine.ts';

let server: PostgresServer;

describe('PostgreSQL', () => {
  before(async () => {
    server = await startPostgres();
  });
  after(() => server.remove());
  storeContract(postgres(() => server));
});
