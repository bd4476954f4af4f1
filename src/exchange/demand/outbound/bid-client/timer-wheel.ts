/** A class, because one is made for every call. */
export abstract class WheelTimer {
  due = 0;
  /** Its neighbours in its slot. */
  next: WheelTimer | undefined;
  previous: WheelTimer | undefined;

  abstract expire(): void;
}

export interface WheelClock {
  /** Never goes back. */
  readonly now: () => number;
  /** Calls `tick` once, in about `delayMs`. */
  readonly wake: (tick: () => void, delayMs: number) => void;
}

/** A circular list's head. */
class Slot extends WheelTimer {
  override next: WheelTimer = this;
  override previous: WheelTimer = this;

  override expire(): void {
    // It is never due.
  }
}

const tickMs = 2;
const slotsCount = 1_024;

/** Node's timer, which keeps the process alive while calls are under way. */
function nodeClock(): WheelClock {
  let timer: NodeJS.Timeout | undefined;
  return {
    now: () => performance.now(),
    wake(tick, delayMs) {
      timer = timer === undefined ? setTimeout(tick, delayMs) : timer.refresh();
    },
  };
}

/** Many timers on one: slots of two milliseconds. No timer ends early; each may be a tick late. */
export class TimerWheel {
  readonly #clock: WheelClock;
  readonly #slots = Array.from({ length: slotsCount }, () => new Slot());
  readonly #tick = () => this.#turn();
  /** The last tick looked through. */
  #turned = 0;
  #size = 0;
  #isWaking = false;

  constructor(clock: WheelClock = nodeClock()) {
    this.#clock = clock;
  }

  /** Calls `expire` in `delayMs`. */
  add(timer: WheelTimer, delayMs: number): void {
    const nowMs = this.#clock.now();
    if (this.#size === 0) this.#turned = Math.floor(nowMs / tickMs);
    this.#size += 1;
    timer.due = Math.max(this.#turned + 1, Math.ceil((nowMs + delayMs) / tickMs));
    const slot = this.#slotOf(timer.due);
    timer.next = slot;
    timer.previous = slot.previous;
    slot.previous.next = timer;
    slot.previous = timer;
    this.#wake();
  }

  /** Does nothing if it is in no slot. */
  remove(timer: WheelTimer): void {
    const { next, previous } = timer;
    if (next === undefined || previous === undefined) return;
    previous.next = next;
    next.previous = previous;
    timer.next = undefined;
    timer.previous = undefined;
    this.#size -= 1;
  }

  #slotOf(tick: number): Slot {
    return this.#slots[tick % slotsCount] as Slot;
  }

  #wake(): void {
    if (this.#isWaking || this.#size === 0) return;
    this.#isWaking = true;
    this.#clock.wake(this.#tick, tickMs);
  }

  /** After a long pause each slot is looked through once. */
  #turn(): void {
    this.#isWaking = false;
    const until = Math.floor(this.#clock.now() / tickMs);
    const from = Math.max(this.#turned + 1, until - slotsCount + 1);
    this.#turned = Math.max(until, this.#turned);
    for (let tick = from; tick <= until; tick += 1) this.#expire(this.#slotOf(tick), until);
    this.#wake();
  }

  /** A timer that expires may remove others of its slot. */
  #expire(slot: Slot, until: number): void {
    const due: WheelTimer[] = [];
    for (
      let timer: WheelTimer | undefined = slot.next;
      timer !== slot && timer !== undefined;
      timer = timer.next
    ) {
      if (timer.due <= until) due.push(timer);
    }
    for (const timer of due) {
      if (timer.next === undefined) continue;
      this.remove(timer);
      timer.expire();
    }
  }
}
