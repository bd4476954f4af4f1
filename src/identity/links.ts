import { type Fault, invalid, Refusal } from '../fields/fault.ts';
import type { Bearer, IdentityWrites, LinkKind, User } from '../store/identity/interface.ts';
import type { IdentityBase } from './identity-base.ts';
import { newToken, tokenCharacters, tokenHash } from './tokens.ts';

/** They work once (reference, A17); only their holders know the secrets. */
export interface Links {
  /** Of the first start. */
  addLoginLink(mail: string): Promise<string>;
  /** With which an invited user sets the password; it replaces earlier ones. */
  addInvitationLink(userId: number): Promise<string>;
  /** Uses the link up. Refuses an invalid one with `unauthorized`. */
  useLoginLink(link: string): Promise<User>;
  /** Does not use the link up. Refuses an invalid one with `invalid`. */
  linkedUser(link: string): Promise<User>;
  /** Refuses like `linkedUser`. */
  setPasswordByLink(link: string, passwordHash: string, writes: IdentityWrites): Promise<void>;
  /** For one fetch of the path, with its query, within a minute. */
  addDownload(bearer: Bearer, path: string): Promise<string>;
  /** Uses the link up. A console session's link needs its cookie. Refuses with `unauthorized`. */
  useDownload(asked: { link: string; path: string; cookie: string | undefined }): Promise<Bearer>;
}

const loginLastsMs = 15 * 60_000;
export const passwordLinkLastsMs = 7 * 86_400_000;
const downloadLastsMs = 60_000;

const linkFault: Fault = {
  Path: 'Link',
  Code: 'link_used',
  Message:
    'does not work: it was already used, has expired, or is incomplete; ask an administrator for another',
};

function usedUp(): Refusal {
  return new Refusal('unauthorized', 'The link was already used or has expired; log in with the password');
}

function noDownload(): Refusal {
  return new Refusal(
    'unauthorized',
    'The download link was already used, has expired, or is for something else; request another',
  );
}

export function createLinks({ store, now, random }: IdentityBase): Links {
  const find = async (kind: LinkKind, secret: string) =>
    secret.length === tokenCharacters ? await store.link(kind, tokenHash(secret), now()) : undefined;
  const activeUser = async (userId: number | undefined): Promise<User | undefined> => {
    const user = userId === undefined ? undefined : await store.user(userId);
    return user?.status === 0 ? user : undefined;
  };
  return {
    async addLoginLink(mail) {
      const user = await store.userByMail(mail);
      if (!user) throw new Error(`no user has the mail address ${mail}`);
      const secret = newToken(random);
      const expiresAtMs = now() + loginLastsMs;
      await store.addLink({ kind: 'login', hash: tokenHash(secret), userId: user.id, expiresAtMs });
      return secret;
    },
    async addInvitationLink(userId) {
      const secret = newToken(random);
      const expiresAtMs = now() + passwordLinkLastsMs;
      await store.addLink({ kind: 'password', hash: tokenHash(secret), userId, expiresAtMs });
      return secret;
    },
    async useLoginLink(secret) {
      // Looks first, so that invented secrets make nobody wait for a write.
      const known = await find('login', secret);
      const link = known && (await store.takeLink('login', known.hash, now()));
      const user = await activeUser(link?.userId);
      if (!user) throw usedUp();
      return user;
    },
    async linkedUser(secret) {
      const user = await activeUser((await find('password', secret))?.userId);
      if (!user) throw invalid([linkFault]);
      return user;
    },
    async setPasswordByLink(secret, passwordHash, writes) {
      const link = await writes.takeLink('password', tokenHash(secret), now());
      if (!link) throw invalid([linkFault]);
      await writes.setPassword(link.userId, passwordHash, { revokesKeys: false });
    },
    async addDownload({ tokenId, userId }, path) {
      const secret = newToken(random);
      const expiresAtMs = now() + downloadLastsMs;
      await store.addLink({ kind: 'download', hash: tokenHash(secret), userId, expiresAtMs, tokenId, path });
      return secret;
    },
    async useDownload({ link: secret, path, cookie }) {
      const known = await find('download', secret);
      if (known?.tokenId === undefined || known.path !== path) throw noDownload();
      const hash = await store.tokenHash(known.tokenId);
      const bearer = hash === undefined ? undefined : await store.bearer(hash, now());
      const isCookieMissing = bearer?.kind === 'console' && (!cookie || tokenHash(cookie) !== hash);
      if (!bearer || isCookieMissing) throw noDownload();
      if (!(await store.takeLink('download', known.hash, now()))) throw noDownload();
      return bearer;
    },
  };
}
