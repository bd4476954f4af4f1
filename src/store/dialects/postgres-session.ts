import type pg from 'pg';

/** Silence after which TCP keepalive checks the other end. */
export const keepAliveSeconds = 10;

/** So that the server soon releases a vanished process's locks and connections, not after its system's two hours. */
const timeouts: readonly (readonly [setting: string, value: string])[] = [
  // Shorter than a writer waits for the lock, far longer than any transaction of ours is idle.
  ['idle_in_transaction_session_timeout', '10s'],
  ['client_connection_check_interval', '5s'],
  ['tcp_keepalives_idle', `${keepAliveSeconds}s`],
  ['tcp_keepalives_interval', '5s'],
  ['tcp_keepalives_count', '3'],
];

/** Skips settings that the server's system does not support. */
export async function applySessionTimeouts(client: pg.ClientBase): Promise<void> {
  await Promise.allSettled(timeouts.map(([setting, value]) => client.query(`set ${setting} = '${value}'`)));
}
