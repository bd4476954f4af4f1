import { createHash } from 'node:crypto';
import type { Store } from './interface.ts';

const nameLength = 16;

/**
 * Tells installations in one place apart: `outbox` in folders and ClickHouse, `valkey` in keys. The same for all
 * servers of an installation.
 */
export async function installationName(
  store: Pick<Store, 'secret'>,
  place: 'outbox' | 'valkey',
): Promise<string> {
  const secret = await store.secret(place);
  return createHash('sha256').update(secret).digest('hex').slice(0, nameLength);
}
