import { takeFirstSlot } from '../../src/outbox/slots.ts';

/** Takes a part of an outbox, prints its folder, and has it until it is killed. */
const [root = ''] = process.argv.slice(2);
process.stdout.write(`${takeFirstSlot(root).folder}\n`);
setInterval(() => undefined, 60_000);
