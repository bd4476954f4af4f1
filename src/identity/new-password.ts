import type { Fault } from '../fields/fault.ts';
import { isStorableText } from '../fields/formats.ts';
import { passwordLength } from '../reference/password-length.ts';

const signsAround = /^\P{L}{1,4}|\P{L}{1,6}$/gu;
/** Each before the letter that it looks like. */
const lookalikes = new Map(
  '@a4a3e0o$s5s7t1i!i'.match(/../g)?.map(([sign = '', letter = '']) => [sign, letter]),
);
const repeated = /^(.{1,4})\1+.{0,3}$/su;
const rows = ['0123456789012345', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const ofOurs: ReadonlySet<string> = new Set(['bourse', 'console', 'exchange']);

let common: Promise<ReadonlySet<string>> | undefined;

/** The 49,000 most common; read when the first password is set. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].map((one) => one.toLowerCase())),
  );
  return common;
}

/** Guessers' first tries: the word without digits and signs, and with letters for look-alikes. */
function wordsIn(password: string): readonly string[] {
  const plain = password.normalize('NFKC').toLowerCase();
  const bare = plain.replaceAll(signsAround, '');
  const spelled = (word: string) => [...word].map((sign) => lookalikes.get(sign) ?? sign).join('');
  return [plain, bare].flatMap((word) => [word, spelled(word)]);
}

/** Along the digits, the alphabet or a row of keys, forwards or backwards. */
function isRow(password: string): boolean {
  const plain = password.toLowerCase();
  const backwards = [...plain].reverse().join('');
  return rows.some((row) => row.includes(plain) || row.includes(backwards));
}

async function weakness(password: string, mail: string): Promise<string | undefined> {
  const words = wordsIn(password);
  const address = mail.toLowerCase();
  const own = [address, address.split('@')[0] ?? ''].filter((word) => word !== '');
  if (words.some((word) => own.includes(word))) return 'must not be the mail address';
  const known = await commonPasswords();
  const isCommon = words.some((word) => known.has(word) || ofOurs.has(word));
  if (!isCommon && !repeated.test(password) && !isRow(password)) return undefined;
  return 'is one of the first that anyone would try; choose another, for example four unrelated words';
}

/** By NIST SP 800-63B 3.1.1.2; `mail` is the user's. */
export async function newPasswordFaults(Path: string, password: string, mail: string): Promise<Fault[]> {
  const { min, max } = passwordLength;
  const fault = (Code: Fault['Code'], Message: string) => [{ Path, Code, Message }];
  if (password.length < min) return fault('too_short', `must be at least ${min} characters long`);
  if (password.length > max) return fault('too_long', `must be at most ${max} characters long`);
  if (!isStorableText(password)) return fault('encoding', 'contains characters that cannot be stored');
  const Message = await weakness(password, mail);
  return Message === undefined ? [] : fault('common', Message);
}
