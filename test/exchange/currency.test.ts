import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { amountIn, floorOf, foreignMicros, sentFloor } from '../../src/exchange/currency.ts';
import { priceIn } from '../../src/exchange/demand/bid-price.ts';
import { seeded } from '../support/seed.ts';

const rate = fc.double({ min: 1e-7, max: 100, noNaN: true, noDefaultInfinity: true });
const foreign = (currency: string) => rate.map((usdPerUnit) => ({ currency, usdPerUnit }));
/** Up to a CPM of a million USD. */
const amounts = fc.double({ min: 0.01, max: 10_000, noNaN: true, noDefaultInfinity: true });
const bidMicros = (...asked: Parameters<typeof priceIn>) => priceIn(...asked)?.priceCpmMicros ?? 0;

describe('money in another currency', () => {
  test('a bid at its floor passes at every rate, and a higher one is never worth less', () => {
    fc.assert(
      fc.property(foreign('EUR'), amounts, amounts, (currency, one, other) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)];
        const { floorCpmMicros } = floorOf(low, currency);
        assert.ok(foreignMicros(low, currency) >= floorCpmMicros);
        assert.ok(foreignMicros(high, currency) >= floorCpmMicros);
      }),
      seeded(10_000),
    );
  });

  test('is off by half a micro at most', () => {
    fc.assert(
      fc.property(foreign('EUR'), amounts, (currency, cpm) => {
        const exact = cpm * currency.usdPerUnit * 1e6;
        assert.ok(Math.abs(foreignMicros(cpm, currency) - exact) <= 0.5 + exact * 1e-15);
      }),
      seeded(10_000),
    );
  });

  test('micros that are told in a currency come back as the same micros', () => {
    fc.assert(
      fc.property(foreign('EUR'), fc.integer({ min: 0, max: 1e12 }), (currency, micros) => {
        assert.equal(foreignMicros(amountIn(micros, currency), currency), micros);
      }),
      seeded(10_000),
    );
  });

  test('a bid of the floor that was sent is at least the floor, in whatever currencies', () => {
    const maybe = (name: string) => fc.option(foreign(name), { nil: undefined });
    fc.assert(
      fc.property(maybe('EUR'), maybe('JPY'), amounts, (from, to, cpm) => {
        // Amounts in USD have six decimals.
        const amount = from ? cpm : Math.round(cpm * 1e6) / 1e6;
        const { floorCpmMicros } = floorOf(amount, from);
        const sent = sentFloor(amount, from, to);
        const isPrice = sent * (to?.usdPerUnit ?? 1) <= 1e6;
        assert.ok(!isPrice || bidMicros(sent, to) >= floorCpmMicros, `${sent}`);
      }),
      seeded(10_000),
    );
  });

  test('in the same currency a floor is sent as it was named', () => {
    const euro = { currency: 'EUR', usdPerUnit: 1.0857 };
    assert.equal(sentFloor(1.23, euro, { ...euro }), 1.23);
  });

  test('prices below nothing and above a million USD are none', () => {
    const euro = { currency: 'EUR', usdPerUnit: 2 };
    for (const price of [0, -1, Number.NaN, 500_001]) assert.equal(priceIn(price, euro), undefined);
    assert.equal(bidMicros(500_000, euro), 1e12);
    assert.equal(bidMicros(0.002, euro, 1), 4_000_000);
  });
});
