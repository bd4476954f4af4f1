import type pg from 'pg';

/** The system asks after so many seconds of silence whether the other end is still there. */
export const keepAliveSeconds = 10;

/**
 * What a connection asks of the server, so that this lets go of what a process held that has gone without a word: one
 * on a machine that has lost its power or its network would else keep the writers' lock, and its connections, for as
 * long as the server's system believes in it (by default two hours).
 */
const wishes: readonly (readonly [setting: string, value: string])[] = [
  // Shorter than a writer waits for the lock, and far longer than any transaction of ours has nothing to say.
  ['idle_in_transaction_session_timeout', '10s'],
  ['client_connection_check_interval', '5s'],
  ['tcp_keepalives_idle', `${keepAliveSeconds}s`],
  ['tcp_keepalives_interval', '5s'],
  ['tcp_keepalives_count', '3'],
];

/** Asks for it on a new connection. A server whose system knows nothing of one of them goes on without it. */
export async function askForShortMemory(client: pg.ClientBase): Promise<void> {
  await Promise.allSettled(wishes.map(([setting, value]) => client.query(`set ${setting} = '${value}'`)));
}
