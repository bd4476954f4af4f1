import { after, before, describe } from 'node:test';
import type { ValkeyConnection } from '../../src/valkey/connection.ts';
import { authorityContract } from '../leases/authority-contract.ts';
import { skipWithout } from '../support/debian-tools.ts';
import { connectTo, startRedis, type TestRedis } from '../support/redis.ts';
import { openRoom } from './authority-room.ts';

describe('the authority on a real server', { skip: skipWithout('redis-server') }, () => {
  let redis: TestRedis;
  let connection: ValkeyConnection;
  before(async () => {
    redis = await startRedis();
    connection = await connectTo(redis.address);
  });
  after(async () => {
    connection.close();
    await redis.remove();
  });
  authorityContract('keeps the contract', () => openRoom(connection), 40);
});
