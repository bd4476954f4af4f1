import { isObject, parseJson } from '../json.ts';

/** `status` of the IAB Deals API 1.0, "Object: BuyerStatus". */
export const buyerStatuses = {
  0: 'Pending approval',
  1: 'Approved',
  2: 'Rejected',
  3: 'Ready to serve',
  4: 'Active',
  5: 'Paused',
  6: 'Complete',
} as const;

export type BuyerStatusCode = keyof typeof buyerStatuses;

export interface SeatStatus {
  /** `""` = the buyer as a whole. */
  readonly seat: string;
  readonly status: BuyerStatusCode;
}

const seatsMax = 100;
const seatCharactersMax = 64;

const isCode = (value: unknown): value is BuyerStatusCode =>
  typeof value === 'number' && Object.hasOwn(buyerStatuses, value);

function readStatus(value: unknown): SeatStatus[] {
  if (!isObject(value) || !isCode(value.status)) return [];
  const { buyerseatid: seat = '', status } = value;
  return typeof seat === 'string' && seat.length <= seatCharactersMax ? [{ seat, status }] : [];
}

/** "Object: BuyerSeat" of the deal `id`; what is not a status of a seat is left out. Or what is wrong with it. */
export function readBuyerSeat(text: string, id: string): readonly SeatStatus[] | { readonly wrong: string } {
  const answer = parseJson(text);
  if (!isObject(answer) || typeof answer.id !== 'string') {
    return { wrong: 'its answer is not a BuyerSeat of the Deals API' };
  }
  if (answer.id !== id) return { wrong: 'its answer is about another deal' };
  const { buyerstatus = [] } = answer;
  if (!Array.isArray(buyerstatus)) return { wrong: 'buyerstatus in its answer is not an array' };
  return buyerstatus.slice(0, seatsMax).flatMap(readStatus);
}
