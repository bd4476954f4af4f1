import { Secret, TOTP } from 'otpauth';
import type { SecondFactor } from '../store/identity/interface.ts';
import { type Random, tokenHash } from './tokens.ts';

const secretBytes = 20;
const stepSeconds = 30;
/** Codes of the steps before and after count too: phones' clocks differ. */
const stepsAround = 1;
const recoveryCodes = 10;
const recoveryBytes = 10;

function base32(bytes: Buffer): string {
  return new Secret({ buffer: new Uint8Array(bytes).buffer }).base32;
}

function totpOf(secret: string, label = ''): TOTP {
  return new TOTP({ issuer: 'Bourse', label, secret, period: stepSeconds });
}

/** For comparison: people leave out hyphens, or write small letters. */
function bare(code: string): string {
  return code.replaceAll(/[\s-]/g, '').toUpperCase();
}

/** Its user has yet to confirm it by a code. */
export function newSecondFactor(random: Random): SecondFactor {
  return { secret: base32(random(secretBytes)), isConfirmed: false, lastStep: 0, recoveryHashes: [] };
}

/** Shown as a picture for the app. */
export function appUrl({ secret }: SecondFactor, mail: string): string {
  return totpOf(secret, mail).toString();
}

/** For a lost app, each once: 80 random bits, as `ABCD-EFGH-IJKL-MNOP`. */
export function newRecoveryCodes(random: Random): readonly string[] {
  return Array.from({ length: recoveryCodes }, () =>
    (base32(random(recoveryBytes)).match(/.{4}/g) ?? []).join('-'),
  );
}

export function recoveryHashesOf(codes: readonly string[]): readonly string[] {
  return codes.map((code) => tokenHash(bare(code)));
}

/** The factor after the code; undefined if the code is wrong or was used before. */
export function useCode(factor: SecondFactor, code: string, nowMs: number): SecondFactor | undefined {
  const { secret, lastStep, recoveryHashes } = factor;
  const token = bare(code);
  const ahead = totpOf(secret).validate({ token, timestamp: nowMs, window: stepsAround });
  const step = ahead === null ? 0 : Math.floor(nowMs / 1000 / stepSeconds) + ahead;
  if (step > lastStep) return { ...factor, lastStep: step };
  const used = tokenHash(token);
  if (!recoveryHashes.includes(used)) return undefined;
  return { ...factor, recoveryHashes: recoveryHashes.filter((hash) => hash !== used) };
}
