import assert from 'node:assert/strict';
import { test } from 'node:test';
import { weekHoursText } from '../../../src/reference/week-hours.ts';
import { digitsOf, hoursOf, movedBy, painted, presets, toggled, wholeDay, wholeHour } from './week-grid.ts';

const none = '0'.repeat(168);

test('hours are said in a few words', () => {
  const texts = Object.values(presets).map(weekHoursText);
  assert.deepEqual(texts, ['always', 'Mon–Fri 09–17', 'Mon–Sun 18–23', 'Sat–Sun all day']);
  assert.equal(weekHoursText(none), 'never');
  const split = painted(
    painted(none, { day: 0, hour: 0 }, { day: 3, hour: 5 }, true),
    ...wholeHour(22),
    true,
  );
  assert.equal(weekHoursText(split), 'Mon–Thu 00–06 and 22–23, Fri–Sun 22–23');
});

test('an empty field is open all week, and so is one that is open all week', () => {
  assert.equal(digitsOf(''), '1'.repeat(168));
  assert.equal(hoursOf(digitsOf('')), '');
  assert.equal(hoursOf(none), none);
});

test('a day or an hour is closed if all of it is open, else opened', () => {
  const closed = toggled(digitsOf(''), ...wholeDay(6));
  assert.equal(weekHoursText(closed), 'Mon–Sat all day');
  const opened = toggled(closed, ...wholeHour(8));
  assert.equal(weekHoursText(opened), 'Mon–Sat all day, Sun 08–09');
  assert.equal(hoursOf(toggled(opened, ...wholeDay(6))), '');
});

test('what lies between two hours is painted, whichever comes first', () => {
  const [one, other] = [
    { day: 4, hour: 19 },
    { day: 0, hour: 8 },
  ];
  assert.equal(weekHoursText(painted(none, one, other, true)), 'Mon–Fri 08–20');
});

test('arrows move as the grid stands, and stop at its edges', () => {
  const at = { day: 2, hour: 5 };
  assert.deepEqual(movedBy('ArrowRight', at, false), { day: 2, hour: 6 });
  assert.deepEqual(movedBy('ArrowRight', at, true), { day: 3, hour: 5 });
  assert.deepEqual(movedBy('ArrowUp', { day: 0, hour: 5 }, false), { day: 0, hour: 5 });
  assert.deepEqual(movedBy('End', at, false), { day: 2, hour: 23 });
  assert.equal(movedBy('a', at, false), undefined);
});
