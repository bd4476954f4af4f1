import type { Socket } from 'node:net';
import type { Random } from '../../../../../src/simulation/random.ts';
import { randomFrom } from '../../../../support/seed.ts';
import { type RawPartner, startRawPartner } from './raw-partner.ts';

const answerTo = (path: string) => `HTTP/1.1 200 OK\r\ncontent-length: ${path.length}\r\n\r\n${path}`;

/** What the partner does with a request, each as often as the others; most answer. */
const ways: readonly ((socket: Socket, path: string, random: Random) => void)[] = [
  ...Array.from({ length: 20 }, () => (socket: Socket, path: string) => void socket.write(answerTo(path))),
  (socket, path) => {
    const answer = answerTo(path);
    socket.write(answer.slice(0, 25));
    setImmediate(() => socket.write(answer.slice(25)));
  },
  (socket, path, random) => setTimeout(() => socket.write(answerTo(path)), random() * 80),
  (socket, path) => socket.write(`${answerTo(path)}${answerTo('/evil')}`),
  (socket, path) => socket.end(answerTo(path)),
  (socket, path) => socket.write(answerTo(path), () => socket.resetAndDestroy()),
  (socket) => socket.end(),
  (socket) => socket.resetAndDestroy(),
  (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\ncut', () => socket.resetAndDestroy()),
  (socket) => socket.write('no answer\r\n'),
  () => undefined,
];

/** A partner that echoes the path of a request as its body, but often resets, stalls, or says what it should not. */
export function startSoakPartner(seed: number): Promise<RawPartner> {
  const random = randomFrom(seed);
  return startRawPartner((socket, { text }) => {
    const path = /^POST (\S+)/.exec(text)?.[1] ?? '';
    ways[Math.floor(random() * ways.length)]?.(socket, path, random);
  });
}
