import type { HttpClient } from '../http-client.ts';
import { seededRandom } from '../random.ts';
import { paceAt } from './day-curve.ts';
import { type PlayerServices, playAd } from './player.ts';
import { newTally, type Tally } from './tally.ts';
import { createAudience } from './viewers.ts';
import type { Zone } from './zone.ts';

/** Milliseconds since the start. */
export interface Clock {
  nowMs(): number;
  /** At once if it has passed, but always after a tick of the event loop. */
  until(ms: number): Promise<void>;
}

export interface DayOptions {
  readonly zones: readonly [Zone, ...Zone[]];
  /** Mean over the day. */
  readonly requestsPerSecond: number;
  /** How long the simulated day of 24 hours takes. */
  readonly seconds: number;
  readonly seed: number;
  readonly http: HttpClient;
  readonly clock: Clock;
  /** Ends the day early. */
  readonly signal?: AbortSignal;
}

const daySeconds = 86_400;
const playersMax = 2000;

/** A Poisson process; the same seed gives the same players. */
export async function simulateDay(options: DayOptions): Promise<Tally> {
  const { zones, requestsPerSecond, seconds, seed, http, clock, signal } = options;
  const random = seededRandom(seed);
  const tally = newTally();
  const audience = createAudience(random);
  const speed = daySeconds / seconds;
  const services: Omit<PlayerServices, 'random'> = {
    http,
    tally,
    nowMs: () => performance.now(),
    wait: (viewerSeconds) => clock.until(clock.nowMs() + (viewerSeconds * 1000) / speed),
    origins: new Set(zones.map(({ url }) => new URL(url).origin)),
  };
  const players = new Set<Promise<void>>();
  const send = () => {
    const zone = zones[Math.floor(random() * zones.length)] ?? zones[0];
    const viewer = audience(zone.kinds);
    // Its own random stream, so that a player does not depend on others.
    const own = seededRandom(random() * 2 ** 32);
    if (players.size >= playersMax) tally.skipped += 1;
    else {
      const player = playAd(zone, viewer, { ...services, random: own });
      players.add(player);
      void player.finally(() => players.delete(player));
    }
  };
  for (let at = 0; ; send()) {
    const rate = requestsPerSecond * paceAt(at / seconds);
    at -= Math.log(1 - random()) / rate;
    if (at >= seconds || signal?.aborted) break;
    await clock.until(at * 1000);
  }
  await Promise.all(players);
  return tally;
}
