import { type Fault, invalid, Refusal } from '../fields/fault.ts';
import type { Bearer, SecondFactor, User } from '../store/identity/interface.ts';
import type { IdentityBase } from './identity-base.ts';
import { hashPassword, verifyPassword } from './passwords.ts';
import { useCode } from './second-factor.ts';

/** A mail address, a password, a code where the user has a second factor, and who sends them. */
export interface LoginAttempt {
  readonly username: string;
  readonly password: string;
  /** Of the user's app, or a recovery code. */
  readonly code?: string | undefined;
  /** IP address of the client. */
  readonly address: string;
  readonly userAgent?: string;
}

/** Checks what people know and have, within the limits of failures and of work (decisions A1, A11, A15). */
export interface LoginCheck {
  /**
   * The user who may log in. Refuses with `unauthorized` where password or code is wrong, and where the code is
   * missing; then the only fault's path is `Code`.
   */
  login(attempt: LoginAttempt): Promise<User>;
  /** The bearer's user, by the password. Refuses a wrong one with `invalid`. */
  owner(bearer: Bearer, password: string, address: string): Promise<User>;
  /** Uses up a code of the user's. Refuses a wrong one with `invalid`. */
  useCode(user: User, code: string, address: string): Promise<unknown>;
  /** `hashPassword`, within the limit of work. */
  hash(password: string): Promise<string>;
}

const underWayMax = 64;

/** Runs at most `jobsMax` jobs at once, and refuses the others: passwords are slow to check on purpose. */
function limitConcurrency(jobsMax: number) {
  let underWay = 0;
  return async <T>(job: () => Promise<T>): Promise<T> => {
    if (underWay >= jobsMax) {
      throw new Refusal('unavailable', 'Too many logins at once; try again', { retryAfterSeconds: 1 });
    }
    underWay += 1;
    try {
      return await job();
    } finally {
      underWay -= 1;
    }
  };
}

/** What is answered where mail address and password do not match. */
export function wrongPair(): Refusal {
  return new Refusal('unauthorized', 'Username or Password is wrong');
}

const wrongCode: Fault = {
  Path: 'Code',
  Code: 'second_factor',
  Message: 'is wrong, or was used before; wait for the next one of your app, or send a recovery code',
};

const missingCode: Fault = {
  Path: 'Code',
  Code: 'second_factor',
  Message: 'is missing: send the one that your app shows, or a recovery code',
};

/** The refusal of a login that fails by its code alone. */
function unauthorized(fault: Fault): Refusal {
  const { message, faults } = invalid([fault]);
  return new Refusal('unauthorized', message, { faults });
}

/** The checks on a store. */
export function createLoginCheck({ store, now, loginLimiter: limiter }: IdentityBase): LoginCheck {
  const limited = limitConcurrency(underWayMax);
  const checkPair = async ({ username: mail, password, address }: LoginAttempt): Promise<User> => {
    const attempt = { mail, address };
    await limiter.learn(attempt);
    limiter.check(attempt);
    const user = await store.userByMail(mail);
    // One who has not accepted the invitation yet has no password.
    const isRight = await limited(() => verifyPassword(password, user?.passwordHash || undefined));
    // Checks again: of many attempts at the same time, none that ends after the tenth failure may learn anything.
    await limiter.learn(attempt);
    limiter.check(attempt);
    if (user && isRight && user.status === 0) return user;
    limiter.fail(attempt);
    throw wrongPair();
  };
  const takeCode = async ({ id, mail }: User, code: string, address: string, refuse: typeof unauthorized) => {
    const attempt = { mail, address };
    await limiter.learn(attempt);
    limiter.check(attempt);
    const take = (factor: SecondFactor | undefined) => {
      const left = factor && useCode(factor, code, now());
      if (left) return left;
      throw refuse(wrongCode);
    };
    try {
      // Looks first: a wrong code is to undo no transaction that others share.
      take((await store.user(id))?.secondFactor);
    } catch (error) {
      limiter.fail(attempt);
      throw error;
    }
    return await store.setSecondFactor(id, take);
  };
  return {
    async login(attempt) {
      const user = await checkPair(attempt);
      if (!user.secondFactor?.isConfirmed) return user;
      if (!attempt.code) throw unauthorized(missingCode);
      await takeCode(user, attempt.code, attempt.address, unauthorized);
      return user;
    },
    async owner({ userId }, password, address) {
      const user = await store.user(userId);
      try {
        return await checkPair({ username: user?.mail ?? '', password, address });
      } catch (error) {
        if (!(error instanceof Refusal) || error.code !== 'unauthorized') throw error;
        throw invalid([{ Path: 'Password', Code: 'wrong_password', Message: 'is wrong' }]);
      }
    },
    useCode: (user, code, address) => takeCode(user, code, address, (fault) => invalid([fault])),
    hash: (password) => limited(() => hashPassword(password)),
  };
}
