import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../src/simulation/random.ts';
import type { Cluster, Machine } from './machines.ts';
import { oneOf, type Players } from './players.ts';

const lastsMs = 3000;
/** A grant may be used for 15 seconds. */
const lastsLongMs = 17_000;
const restMs = 700;
/** A machine whose clock is off by less has the page's promise; by more than a minute it must not be ready. */
const [offMs, farOffMs] = [45_000, 90_000];
const burstMin = 8;
const burstWaitsMs = 15_000;

/** Something that goes wrong for a while at one machine, or at an engine. Resolves when it is over. */
interface Fault {
  readonly name: string;
  readonly happen: (machine: Machine, around: Ongoing) => Promise<void>;
}

/** What else faults need. */
export interface Around {
  readonly cluster: Cluster;
  readonly players: Players;
  /** Notes what must not be. */
  readonly onWrong: (what: string) => void;
}

interface Ongoing extends Around {
  /** While other things go wrong: far from the database it takes half a minute. */
  readonly startAgain: (machine: Machine) => void;
}

const during = async (end: () => void, ms = lastsMs) => {
  await delay(ms);
  end();
};
const all = (ends: readonly (() => void)[]) => () => {
  for (const end of ends) end();
};

const untilEveryMs = 100;
const untilMsMax = 10_000;

/** Asks until it is so, or tells that it is not in time. */
async function until(isSo: () => Promise<boolean>, onLate: () => void): Promise<void> {
  const lateMs = performance.now() + untilMsMax;
  while (!(await isSo())) {
    if (performance.now() > lateMs) return onLate();
    await delay(untilEveryMs);
  }
}

/** One row a kind of fault. */
export const faults: readonly Fault[] = [
  {
    name: 'kill -9',
    async happen(machine, { startAgain }) {
      await machine.kill();
      startAgain(machine);
    },
  },
  {
    name: 'kill -9 with an acknowledgement',
    async happen(machine, { players, startAgain }) {
      await players.showBurst(machine, burstMin, burstWaitsMs);
      await machine.kill();
      startAgain(machine);
    },
  },
  {
    name: 'SIGSTOP of one and cut network of another for longer than a lease',
    async happen(machine, { cluster: { machines } }) {
      const other = machines.find((one) => one !== machine && one.isUp()) ?? machine;
      await during(all([machine.freeze(), ...other.relays.map((relay) => relay.cut())]), lastsLongMs);
    },
  },
  { name: 'clock ahead', happen: (machine) => during(machine.setClock(offMs)) },
  { name: 'clock behind', happen: (machine) => during(machine.setClock(-offMs)) },
  {
    name: 'clock far ahead',
    async happen(machine, { onWrong }) {
      const sendAgain = machine.turnAway();
      const setRight = machine.setClock(farOffMs);
      await until(
        async () => !(await machine.isReady()),
        () => onWrong(`${machine.name} says that it is ready with a clock ${farOffMs / 1000} s ahead`),
      );
      setRight();
      await until(machine.isReady, () => onWrong(`${machine.name} is not ready with a clock that is right`));
      sendAgain();
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
  { name: 'database restarted', happen: (_, { cluster }) => cluster.engines.restartDatabase() },
  { name: 'Valkeys killed', happen: (_, { cluster }) => cluster.engines.killValkeys() },
  { name: 'ClickHouse killed', happen: (_, { cluster }) => cluster.engines.killClickHouse() },
];

interface Course {
  readonly random: Random;
  /** In the names of the faults that happen. */
  readonly wanted: string;
  readonly onFault: (name: string) => void;
}

/** Each kind of fault once, one after the other, in an order and at machines that follow from `random`. */
export async function goWrong(around: Around, { random, wanted, onFault }: Course): Promise<void> {
  const { machines } = around.cluster;
  const starting: Promise<void>[] = [];
  const startAgain = (machine: Machine) => void starting.push(machine.start());
  const plan = faults
    .filter(({ name }) => name.includes(wanted))
    .map((fault) => ({ fault, at: random(), of: random() }))
    .sort((one, other) => one.at - other.at);
  for (const { fault, of } of plan) {
    await delay(restMs);
    const up = machines.filter((machine) => machine.isUp());
    const machine = oneOf(up, () => of);
    onFault(`${fault.name}: ${machine.name}`);
    await fault.happen(machine, { ...around, startAgain });
  }
  await Promise.all(starting);
  await delay(restMs);
}
