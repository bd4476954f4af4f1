import type pg from 'pg';

/** Silence after which TCP keepalive checks the other end. */
export const keepAliveSeconds = 10;

/** Timeouts: so that the server soon releases a vanished process's locks and connections, not after its system's two hours. */
const settings: readonly (readonly [setting: string, value: string])[] = [
  // Shorter than a writer waits for the lock, far longer than any transaction of ours is idle.
  ['idle_in_transaction_session_timeout', '10s'],
  ['client_connection_check_interval', '5s'],
  ['tcp_keepalives_idle', `${keepAliveSeconds}s`],
  ['tcp_keepalives_interval', '5s'],
  ['tcp_keepalives_count', '3'],
  // Of an SSD: by default, the planner sorts a whole table that was filled just now rather than walk its index.
  ['random_page_cost', '1.1'],
];

/** Skips settings that the server's system does not support. */
export async function applySessionSettings(client: pg.ClientBase): Promise<void> {
  await Promise.allSettled(settings.map(([setting, value]) => client.query(`set ${setting} = '${value}'`)));
}
