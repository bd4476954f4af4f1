import { createOutboxWriter } from '../../src/outbox/outbox-writer.ts';

/** Appends the numbers from one on to a folder until it is killed, and prints each once it is durable. */
const [folder = '', from = '0'] = process.argv.slice(2);
const writer = createOutboxWriter({ folder, bytesMax: 2 ** 30 });
for (let number = Number(from); ; number += 1) {
  await writer.append(Buffer.from(String(number)));
  process.stdout.write(`${number}\n`);
}
