import { invalid, Refusal } from '../fields/fault.ts';
import type { Bearer, SecondFactor, User } from '../store/identity/interface.ts';
import type { IdentityContext } from './identity-context.ts';
import { newPasswordFaults } from './new-password.ts';
import { appUrl, newRecoveryCodes, newSecondFactor, recoveryHashesOf } from './second-factor.ts';

export interface SelfServiceCaller {
  readonly bearer: Bearer;
  readonly address: string;
}

/**
 * A user's own password and second factor (reference, A12, A15). Refuses wrong or weak ones with `invalid`, and with
 * `too_many` as `login` does.
 */
export interface SelfService {
  /** Ends the user's other sessions and access tokens. */
  changePassword(caller: SelfServiceCaller, sent: { password: string; newPassword: string }): Promise<void>;
  acceptLink(sent: { link: string; newPassword: string }): Promise<User>;
  /** It is required once confirmed. Refuses if there is a confirmed one. */
  beginSecondFactor(caller: SelfServiceCaller, password: string): Promise<{ secret: string; url: string }>;
  /** Returns the recovery codes, readable only now. */
  confirmSecondFactor(caller: SelfServiceCaller, code: string): Promise<readonly string[]>;
  removeSecondFactor(caller: SelfServiceCaller, sent: { password: string; code: string }): Promise<void>;
}

function refuseState(Message: string): Refusal {
  return invalid([{ Path: '', Code: 'wrong_state', Message }]);
}

const isThere = () => refuseState('a second factor is already set up; remove it first');
const isMissing = () => refuseState('there is no second factor');
const isNotBegun = () => refuseState('there is no second factor to confirm; begin with /api/auth/totp/begin');

export function createSelfService(context: IdentityContext): SelfService {
  const { store, random, check, writeAs, links } = context;
  const userOf = async ({ userId }: Bearer): Promise<User> => {
    const user = await store.user(userId);
    if (!user) throw new Refusal('unauthorized', 'The user of the access token no longer exists');
    return user;
  };
  const hashNew = async (newPassword: string, mail: string) => {
    const faults = await newPasswordFaults('NewPassword', newPassword, mail);
    if (faults.length > 0) throw invalid(faults);
    return await check.hash(newPassword);
  };
  return {
    async changePassword({ bearer, address }, { password, newPassword }) {
      const { mail } = await check.owner(bearer, password, address);
      const hash = await hashNew(newPassword, mail);
      const end = { revokesKeys: false, exceptTokenId: bearer.tokenId };
      await writeAs(bearer, (writes) => writes.setPassword(bearer.userId, hash, end));
    },
    async acceptLink({ link, newPassword }) {
      const user = await links.linkedUser(link);
      const hash = await hashNew(newPassword, user.mail);
      const actor = { userId: user.id, teamId: user.teamId };
      await writeAs(actor, (writes) => links.setPasswordByLink(link, hash, writes));
      return user;
    },
    async beginSecondFactor({ bearer, address }, password) {
      const { id, mail } = await check.owner(bearer, password, address);
      const factor = newSecondFactor(random);
      const begin = (current: SecondFactor | undefined) => {
        if (current?.isConfirmed) throw isThere();
        return factor;
      };
      await writeAs(bearer, (writes) => writes.setSecondFactor(id, begin));
      return { secret: factor.secret, url: appUrl(factor, mail) };
    },
    async confirmSecondFactor({ bearer, address }, code) {
      const user = await userOf(bearer);
      if (!user.secondFactor) throw isNotBegun();
      if (user.secondFactor.isConfirmed) throw isThere();
      await check.useCode(user, code, address);
      const codes = newRecoveryCodes(random);
      const confirm = (current: SecondFactor | undefined) => {
        if (current?.secret !== user.secondFactor?.secret || !current) throw isNotBegun();
        return { ...current, isConfirmed: true, recoveryHashes: recoveryHashesOf(codes) };
      };
      await writeAs(bearer, (writes) => writes.setSecondFactor(user.id, confirm));
      return codes;
    },
    async removeSecondFactor({ bearer, address }, { password, code }) {
      const user = await check.owner(bearer, password, address);
      if (!user.secondFactor?.isConfirmed) throw isMissing();
      await check.useCode(user, code, address);
      await writeAs(bearer, (writes) => writes.setSecondFactor(user.id, () => undefined));
    },
  };
}
