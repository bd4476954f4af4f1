import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../src/simulation/random.ts';
import type { Cluster, Machine } from './machines.ts';

const lastsMs = 3000;
const restMs = 1000;

/** Something that goes wrong for a while at one machine, or at an engine. Resolves when it is over. */
interface Fault {
  readonly name: string;
  readonly happen: (machine: Machine, cluster: Cluster) => Promise<void>;
}

const during = async (end: () => void) => {
  await delay(lastsMs);
  end();
};
const all = (ends: readonly (() => void)[]) => () => {
  for (const end of ends) end();
};

/** One row a kind of fault. */
export const faults: readonly Fault[] = [
  {
    name: 'kill -9',
    async happen(machine) {
      await machine.kill();
      await machine.start();
    },
  },
  { name: 'SIGSTOP', happen: (machine) => during(machine.freeze()) },
  { name: 'cut network', happen: ({ relays }) => during(all(relays.map((relay) => relay.cut()))) },
  { name: 'stalled network', happen: ({ relays }) => during(all(relays.map((relay) => relay.stall()))) },
  {
    name: 'reset connections',
    async happen({ relays }) {
      for (const relay of relays) relay.reset();
    },
  },
  { name: 'database restarted', happen: (_, { engines }) => engines.restartDatabase() },
  { name: 'Valkeys killed, with all they had', happen: (_, { engines }) => engines.loseValkeys() },
  { name: 'ClickHouse killed', happen: (_, { engines }) => engines.killClickHouse() },
];

/** Each kind of fault once, one after the other, in an order and at machines that follow from `random`. */
export async function goWrong(
  cluster: Cluster,
  random: Random,
  onFault: (name: string) => void,
): Promise<void> {
  const plan = faults
    .map((fault) => ({ fault, at: random(), of: Math.floor(random() * cluster.machines.length) }))
    .sort((one, other) => one.at - other.at);
  for (const { fault, of } of plan) {
    const machine = cluster.machines[of] as Machine;
    onFault(fault.name);
    await delay(restMs);
    await fault.happen(machine, cluster);
  }
  await delay(restMs);
}
