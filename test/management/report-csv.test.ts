import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApi, type Values } from './api.ts';
import { assertRefused } from './refusals.ts';

const { server, api } = await startApi();
const { Id: PublisherId } = await api.add('Publisher', { Name: 'Überverlag' });
await api.add('VastTag', { PublisherId, Name: 'Überfeed; =1' });

const question = { From: '2026-10-01', To: '2026-10-31', GroupBy: ['Month'], Measures: ['Requests', 'Ecpm'] };

/** The bytes of the CSV, and how its file is called. */
async function fileOf(query: string, body: Values = question) {
  const answer = await fetch(`${server.url}/api/statistics/report?type=csv${query}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { authorization: `Bearer ${server.token}` },
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  assert.equal(answer.status, 200, bytes.toString());
  return { bytes, text: bytes.toString(), disposition: answer.headers.get('content-disposition') };
}

describe('the CSV of a report', () => {
  test('begins with a byte order mark, once, and names its days', async () => {
    const { bytes, text, disposition } = await fileOf('');
    assert.deepEqual([...bytes.subarray(0, 4)], [0xef, 0xbb, 0xbf, 'M'.charCodeAt(0)]);
    assert.equal(text.indexOf('\uFEFF', 1), -1);
    assert.equal(
      disposition,
      'attachment; filename="Report-Month_2026-10-01_2026-10-31.csv"; filename*=UTF-8\'\'Report-Month_2026-10-01_2026-10-31.csv',
    );
  });

  const names: readonly (readonly [name: string, ascii: string, whole: string])[] = [
    ['Überfeed', 'Uberfeed_', '%C3%9Cberfeed'],
    ['a"; filename="x.exe\r\nSet-Cookie: a=b', 'a-filename-x-exe-Set-Cookie-a-b_', 'a-filename-x-exe-Set-Cookie-a-b'],
    ['日報', '', '%E6%97%A5%E5%A0%B1'],
  ]; // biome-ignore format: a table
  for (const [name, ascii, whole] of names) {
    test(`is called ${JSON.stringify(name)} where that is said, whatever stands in it`, async () => {
      const { disposition } = await fileOf(`&Name=${encodeURIComponent(name)}`);
      const days = '2026-10-01_2026-10-31.csv';
      assert.equal(disposition, `attachment; filename="${ascii}${days}"; filename*=UTF-8''${whole}_${days}`);
    });
  }

  const days: readonly (readonly [body: Values, file: RegExp])[] = [
    [{ From: '2026-10-25', To: '2026-10-25', TimeZone: 'Europe/Berlin' }, /_2026-10-25_2026-10-25\.csv"/],
    [{ From: '2026-10-25T10:00:00Z', To: '2026-10-25T12:00:00Z' }, /_2026-10-25T10-00-00-00-00_2026-10-25T12-00-00-00-00\.csv"/],
    [{ From: '', To: '', Period: 'Today' }, /_\d{4}-\d\d-\d\d_\d{4}-\d\d-\d\d\.csv"/],
  ]; // biome-ignore format: a table
  for (const [body, file] of days) {
    test(`is called by its days: ${JSON.stringify(body)}`, async () => {
      const GroupBy = ['Supply'];
      assert.match(String((await fileOf('', { ...question, GroupBy, ...body })).disposition), file);
    });
  }

  const forms: readonly (readonly [query: string, header: string])[] = [
    ['', 'Month,Requests,Ecpm'],
    ['&Separator=Semicolon&Decimal=Comma', 'Month;Requests;Ecpm'],
    ['&Separator=semicolon&Decimal=comma', 'Month;Requests;Ecpm'],
    ['&Separator=%3B&Decimal=,', 'Month;Requests;Ecpm'],
    ['&Separator=Tab', 'Month\tRequests\tEcpm'],
    ['&Separator=&Decimal=', 'Month,Requests,Ecpm'],
  ];
  for (const [query, header] of forms) {
    test(`has its cells apart as is wished: ${query}`, async () => {
      assert.equal((await fileOf(query)).text.split('\r\n')[0], `\uFEFF${header}`);
    });
  }

  test('refuses other signs by name', async () => {
    for (const [query, path] of [
      ['Separator=Pipe', 'Separator'],
      ['Decimal=x', 'Decimal'],
      [`Name=${'x'.repeat(201)}`, 'Name'],
    ] as const) {
      assertRefused(await api.post(`/api/statistics/report?type=csv&${query}`, question), {
        status: 406,
        paths: [path],
      });
    }
  });
});
