import { type Fault, invalid, Refusal } from '../fields/fault.ts';
import type { Bearer, SecondFactor, User } from '../store/identity/interface.ts';
import type { IdentityBase } from './identity-base.ts';
import type { LoginPlace } from './known-places.ts';
import type { Attempt, AttemptKind } from './login-limiter.ts';
import { hashPassword, verifyPassword } from './passwords.ts';
import { useCode } from './second-factor.ts';

/** With a code if the user has a second factor. */
export interface LoginAttempt extends LoginPlace {
  readonly username: string;
  readonly password: string;
  /** From the user's app, or a recovery code. */
  readonly code?: string | undefined;
  readonly userAgent?: string;
}

/** Within the limits of failures and of work (reference, A1, A11, A15). */
export interface LoginCheck {
  /** Refuses with `unauthorized`; if only the code is missing, the only fault's path is `Code`. */
  login(attempt: LoginAttempt): Promise<User>;
  /** Refuses a wrong password with `invalid`. */
  owner(bearer: Bearer, password: string, address: string): Promise<User>;
  /** Refuses a wrong code with `invalid`. */
  useCode(user: User, code: string, address: string): Promise<unknown>;
  /** `hashPassword`, within the limit of work. */
  hash(password: string): Promise<string>;
}

const underWayMax = 64;

/** Refuses further jobs: passwords are slow to check on purpose. */
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

export function wrongCredentials(): Refusal {
  return new Refusal('unauthorized', 'Username or Password is wrong');
}

const wrongCode: Fault = {
  Path: 'Code',
  Code: 'second_factor',
  Message: 'is wrong, or was already used; wait for the next code in your app, or send a recovery code',
};

const missingCode: Fault = {
  Path: 'Code',
  Code: 'second_factor',
  Message: 'is missing: send the code that your app shows, or a recovery code',
};

function unauthorized(fault: Fault): Refusal {
  const { message, faults } = invalid([fault]);
  return new Refusal('unauthorized', message, { faults });
}

/** Delays attempts after failures, and notifies a limited user (reference, A23). */
function createAdmission({ loginLimiter: limiter, knownPlaces, onUserLimited }: IdentityBase) {
  const tell = (attempt: Attempt, user: User | undefined) => {
    if (user?.status === 0 && limiter.isUserLimited(attempt)) onUserLimited(user);
  };
  const admit = async (attempt: Attempt, user?: User) => {
    await limiter.learn(attempt);
    try {
      limiter.check(attempt);
    } catch (error) {
      tell(attempt, user);
      throw error;
    }
  };
  return {
    admit,
    /** Before anything is read: what is limited even where the user has logged in before. */
    admitNetwork: (kind: AttemptKind, mail: string, { address }: LoginPlace) =>
      admit({ kind, mail, address, knownBy: { browser: undefined } }),
    async attemptOf(
      kind: AttemptKind,
      mail: string,
      user: User | undefined,
      place: LoginPlace,
    ): Promise<Attempt> {
      return { kind, mail, address: place.address, knownBy: await knownPlaces.knownBy(user, place) };
    },
    fail(attempt: Attempt, user: User | undefined) {
      limiter.fail(attempt);
      tell(attempt, user);
    },
  };
}

export function createLoginCheck(base: IdentityBase): LoginCheck {
  const { store, now, loginLimiter: limiter } = base;
  const limited = limitConcurrency(underWayMax);
  const { admit, admitNetwork, attemptOf, fail } = createAdmission(base);
  const checkPair = async (
    kind: AttemptKind,
    { username: mail, password, ...place }: LoginAttempt,
  ): Promise<User> => {
    await admitNetwork(kind, mail, place);
    const user = await store.userByMail(mail);
    const attempt = await attemptOf(kind, mail, user, place);
    await admit(attempt, user);
    // Invited users who have not accepted have no password.
    const isRight = await limited(() => verifyPassword(password, user?.passwordHash || undefined));
    // Again: of many concurrent attempts, none after the tenth failure may learn anything.
    await admit(attempt, user);
    if (user && isRight && user.status === 0) return user;
    fail(attempt, user);
    throw wrongCredentials();
  };
  const takeCode = async (user: User, code: string, place: LoginPlace, refuse: typeof unauthorized) => {
    const { id, mail } = user;
    const attempt = await attemptOf('code', mail, user, place);
    await admit(attempt, user);
    const take = (factor: SecondFactor | undefined) => {
      const left = factor && useCode(factor, code, now());
      if (left) return left;
      throw refuse(wrongCode);
    };
    try {
      // Looks first: a wrong code must not undo a transaction that others share.
      take((await store.user(id))?.secondFactor);
    } catch (error) {
      fail(attempt, user);
      throw error;
    }
    const factor = await store.setSecondFactor(id, take);
    limiter.succeed(attempt);
    return factor;
  };
  return {
    async login(attempt) {
      const user = await checkPair('login', attempt);
      if (!user.secondFactor?.isConfirmed) return user;
      if (!attempt.code) throw unauthorized(missingCode);
      await takeCode(user, attempt.code, attempt, unauthorized);
      return user;
    },
    async owner({ userId }, password, address) {
      const user = await store.user(userId);
      try {
        return await checkPair('session', { username: user?.mail ?? '', password, address });
      } catch (error) {
        if (!(error instanceof Refusal) || error.code !== 'unauthorized') throw error;
        throw invalid([{ Path: 'Password', Code: 'wrong_password', Message: 'is wrong' }]);
      }
    },
    useCode: (user, code, address) => takeCode(user, code, { address }, (fault) => invalid([fault])),
    hash: (password) => limited(() => hashPassword(password)),
  };
}
