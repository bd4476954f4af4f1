import { leaseMs } from '../../src/leases/authority.ts';
import { createValkeyAuthority } from '../../src/valkey/authority.ts';
import type { ValkeyConnection } from '../../src/valkey/connection.ts';
import type { AuthorityRoom } from '../leases/authority-contract.ts';

const startMs = Date.UTC(2026, 10, 24);
let rooms = 0;

/** An authority of an installation of its own, on a server that several share. */
export async function openRoom(connection: ValkeyConnection): Promise<AuthorityRoom> {
  rooms += 1;
  const installation = `room-${rooms}`;
  let nowMs = startMs;
  const create = () => createValkeyAuthority({ connection, installation, now: () => nowMs });
  let authority = create();
  // A server that knows nothing may have lost it.
  const first = await authority.join();
  await authority.leave(first);
  await authority.settle(first, []);
  nowMs += leaseMs;
  return {
    authority: () => authority,
    now: () => nowMs,
    pass(ms) {
      nowMs += ms;
    },
    async restart() {
      authority = create();
    },
    async failOver() {
      await connection.send(['HSET', `bourse:${installation}:{limits}:state`, 'epoch', 'of another server']);
    },
    async loseAll() {
      await connection.send(['FLUSHALL']);
    },
    close: () => authority.close(),
  };
}
