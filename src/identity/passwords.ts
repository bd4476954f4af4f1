import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(argon2);

/** OWASP Password Storage Cheat Sheet, Argon2id: 19 MiB, two passes, one lane; some 25 ms of one core. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 };
const saltBytes = 16;
const tagBytes = 32;

const phcPattern =
  /^\$argon2id\$v=19\$m=(?<memory>\d+),t=(?<passes>\d+),p=(?<parallelism>\d+)\$(?<salt>[\w+/-]+)\$(?<tag>[\w+/-]+)$/;

/** Compared for unknown users, so that the answer takes as long. */
const decoy = phcString(Buffer.alloc(saltBytes), Buffer.alloc(tagBytes));

function phcString(salt: Buffer, tag: Buffer): string {
  const plain = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${plain(salt)}$${plain(tag)}`;
}

/** Normalized, however a keyboard composed it (NIST SP 800-63B, 3.1.1.2). */
function tagOf(password: string, parameters: Omit<Argon2Parameters, 'message'>): Promise<Buffer> {
  return derive('argon2id', { message: password.normalize('NFKC'), ...parameters });
}

/** Argon2id with a fresh salt, as a PHC string. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(saltBytes);
  return phcString(nonce, await tagOf(password, { ...cost, nonce, tagLength: tagBytes }));
}

/** False without a hash (no such user), after the same work. Rejects if it is no PHC string of argon2id. */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  const { memory, passes, parallelism, salt = '', tag = '' } = phcPattern.exec(hash ?? decoy)?.groups ?? {};
  if (tag === '') throw new Error('a stored password hash is no PHC string of argon2id');
  const wanted = Buffer.from(tag, 'base64');
  const parameters = {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    nonce: Buffer.from(salt, 'base64'),
    tagLength: wanted.length,
  };
  const isSame = timingSafeEqual(await tagOf(password, parameters), wanted);
  return isSame && hash !== undefined;
}
