import type pg from 'pg';

/** Seconds of silence after which the operating system checks that the other end is still there (TCP keepalive). */
export const keepAliveSeconds = 10;

/**
 * Settings that each connection asks of the server, so that the server soon releases what a vanished process held. A
 * process whose machine lost its power or network would otherwise keep the writers' lock, and its connections, until
 * the server's system notices (by default after two hours).
 */
const timeouts: readonly (readonly [setting: string, value: string])[] = [
  // Shorter than a writer waits for the lock, and far longer than any transaction of ours is idle.
  ['idle_in_transaction_session_timeout', '10s'],
  ['client_connection_check_interval', '5s'],
  ['tcp_keepalives_idle', `${keepAliveSeconds}s`],
  ['tcp_keepalives_interval', '5s'],
  ['tcp_keepalives_count', '3'],
];

/** Applies these settings to a new connection. A setting that the server's system does not support is left out. */
export async function applySessionTimeouts(client: pg.ClientBase): Promise<void> {
  await Promise.allSettled(timeouts.map(([setting, value]) => client.query(`set ${setting} = '${value}'`)));
}
