import { invalid, Refusal } from '../fields/fault.ts';
import type { Bearer, EdgeKey, IdentityWrites, Token } from '../store/identity/interface.ts';
import type { IdentityContext } from './identity-context.ts';
import { hasRight, requireRight } from './roles.ts';
import { newToken, tokenHash } from './tokens.ts';

/** Without the key itself. */
export type ApiKey = Omit<Token, 'hash' | 'label'> & { readonly label: string };

/** Only now with the key itself. */
export type NewApiKey = ApiKey & { readonly key: string };

/**
 * For machines: tokens that last until they expire or are revoked (reference, A3, A5). `writes`: of the transaction
 * under way, by default one's own.
 */
export interface ApiKeys {
  /** Refuses a past expiry with `invalid`; analysts and API keys with `forbidden`: leaked keys must not spread. */
  addApiKey(
    bearer: Bearer,
    key: { label: string; expiresAtMs?: number },
    writes?: IdentityWrites,
  ): Promise<NewApiKey>;
  /** The team's for an administrator, else the bearer's own; in order of ID. */
  apiKeys(bearer: Bearer): Promise<ApiKey[]>;
  /** Refuses with `invalid` what `apiKeys` does not show the bearer: nobody learns of others' keys (reference, A13). */
  revokeApiKey(bearer: Bearer, id: number, writes?: IdentityWrites): Promise<ApiKey>;
}

function shown({ hash: _, label, ...rest }: Token): ApiKey {
  return { ...rest, label: label ?? '' };
}

function notFound(id: number): Refusal {
  return invalid([
    { Path: 'ApiKey.Id', Code: 'not_found', Message: `names API key ${id}, which is not found` },
  ]);
}

/** Without the key itself. */
export type ShownEdgeKey = Omit<EdgeKey, 'hash'>;

/** An edge serves all teams, so only those who may read the database manage its key (reference, "Edges"). */
export interface EdgeKeys {
  /** The key is readable only now. Refuses an empty or long label with `invalid`. */
  addEdgeKey(label: string): Promise<ShownEdgeKey & { readonly key: string }>;
  /** In order of ID. */
  edgeKeys(): Promise<ShownEdgeKey[]>;
  /** Refuses with `invalid` if there is none. */
  revokeEdgeKey(id: number): Promise<void>;
}

const labelCharactersMax = 100;

export function createEdgeKeys({ store, now, random }: IdentityContext): EdgeKeys {
  return {
    async addEdgeKey(text) {
      const label = text.trim();
      if (label === '' || label.length > labelCharactersMax) {
        const Message = `must be 1 to ${labelCharactersMax} characters long`;
        throw invalid([{ Path: 'label', Code: 'format', Message }]);
      }
      const key = newToken(random);
      const row = { label, createdAtMs: now() };
      return { ...row, id: await store.addEdgeKey({ ...row, hash: tokenHash(key) }), key };
    },
    edgeKeys: async () => (await store.edgeKeys()).map(({ hash: _, ...rest }) => rest),
    async revokeEdgeKey(id) {
      if (await store.endEdgeKey(id)) return;
      throw invalid([{ Path: 'id', Code: 'not_found', Message: `names edge ${id}, which is not found` }]);
    },
  };
}

export const noKeysByApiKeys = 'An API key cannot add API keys; log in with a password';

export function createApiKeys({ store, now, random }: IdentityContext): ApiKeys {
  const visible = ({ role, teamId, userId }: Bearer) =>
    store.apiKeys(teamId, hasRight(role, 'manage_users') ? undefined : userId);
  return {
    async addApiKey(bearer, { label, expiresAtMs }, writes = store) {
      requireRight(bearer, 'write');
      if (bearer.kind === 'key') throw new Refusal('forbidden', noKeysByApiKeys);
      const createdAtMs = now();
      if (expiresAtMs !== undefined && expiresAtMs <= createdAtMs) {
        throw invalid([{ Path: 'ApiKey.ExpiresAt', Code: 'out_of_range', Message: 'must be in the future' }]);
      }
      const key = newToken(random);
      const row = { hash: tokenHash(key), userId: bearer.userId, label, createdAtMs, expiresAtMs };
      const id = await writes.addToken(row);
      return { ...shown({ ...row, id, lastUsedAtMs: undefined }), key };
    },
    apiKeys: async (bearer) => (await visible(bearer)).map(shown),
    async revokeApiKey(bearer, id, writes = store) {
      requireRight(bearer, 'write');
      const token = (await visible(bearer)).find((candidate) => candidate.id === id);
      if (!token || !(await writes.endToken(id))) throw notFound(id);
      return shown(token);
    },
  };
}
