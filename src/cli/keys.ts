import { type Command, InvalidArgumentError } from 'commander';
import type { Store } from '../store/interface.ts';
import { withStore } from './with-store.ts';

const minuteMs = 60_000;
const minutesMin = 1;
const minutesMax = 1440;

/** Throws if invalid. */
export function readMinutes(text: string): number {
  const minutes = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (minutes >= minutesMin && minutes <= minutesMax) return minutes;
  throw new InvalidArgumentError(`must be a whole number of minutes from ${minutesMin} to ${minutesMax}`);
}

/** Used some minutes from now. Rejects if an existing key is due later than that. */
export async function addKey(store: Pick<Store, 'addTrackerKey'>, minutes: number): Promise<void> {
  const fromMs = Date.now() + minutes * minuteMs;
  const id = await store.addTrackerKey(fromMs);
  if (id === undefined) throw new Error('There is already a key that takes effect later than that');
  console.log(`Added tracker key ${id}, which is used from ${new Date(fromMs).toJSON()}`);
}

const rotate = ({ in: minutes }: { in: number }) => withStore((store) => addKey(store, minutes));

async function list(): Promise<void> {
  const keys = await withStore((store) => store.trackerKeys());
  for (const { id, fromMs } of keys) {
    console.log(`${id}  ${fromMs === 0 ? 'used from the start' : `used from ${new Date(fromMs).toJSON()}`}`);
  }
}

export function keys(program: Command): void {
  const command = program.command('keys').description('keys that encrypt trackers');
  command
    .command('rotate')
    .description('add a key; trackers that are already out keep working under their own key')
    .option(
      '--in <minutes>',
      'minutes until it is used: by then all servers and edges must have received it',
      readMinutes,
      10,
    )
    .action(rotate);
  command.command('list').description('list the keys by number and time').action(list);
}
