import { createHash } from 'node:crypto';
import type { Store } from '../store/interface.ts';

const nameLength = 16;

/**
 * The name by which several installations in one place are told apart: of `outbox`, in folders of the outbox and in
 * ClickHouse; of `valkey`, in its keys. All servers of an installation have the same, as they share its database.
 */
export async function installationName(
  store: Pick<Store, 'secret'>,
  place: 'outbox' | 'valkey',
): Promise<string> {
  const secret = await store.secret(place);
  return createHash('sha256').update(secret).digest('hex').slice(0, nameLength);
}
