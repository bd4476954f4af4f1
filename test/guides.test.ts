import assert from 'node:assert/strict';
import { globSync, readFileSync, statSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { pageOf, readGuide } from '../console/build/read-guide.ts';
import type { Block, Guide, Line } from '../console/help/guide.ts';
import { guides as folder, tablesIn, withTables } from '../scripts/guide-tables.ts';
import { entities } from '../src/entities/registry.ts';
import { teamSettings } from '../src/entities/team-settings.ts';
import { reasons } from '../src/exchange/reasons.ts';
import { alertConditions } from '../src/reference/alert-conditions.ts';
import { shownCounters } from '../src/reference/counters.ts';
import { dimensions } from '../src/reference/dimensions.ts';
import { measures } from '../src/reference/measures.ts';
import { guideCode, runCommands } from './support/guide-code.ts';
import { pause } from './support/pause.ts';
import { startTestServer, type TestServer } from './support/server.ts';

const files = globSync('*.md', { cwd: folder.pathname });
const textOf = (file: string) => readFileSync(new URL(file, folder), 'utf8');
const read = new Map(files.map((file) => [pageOf(file), readGuide(file, textOf(file))]));

/** Every line of text in a guide, those of lists and tables too. */
const linesIn = (blocks: readonly Block[]): readonly Line[] =>
  blocks.flatMap((block) => {
    if (block.kind === 'list') return block.items.flatMap(linesIn);
    if (block.kind === 'table') return [...block.head, ...block.rows.flat()];
    return 'line' in block ? [block.line] : [];
  });

const partsIn = (line: Line): Line =>
  line.flatMap((part) =>
    typeof part === 'object' && 'parts' in part ? [part, ...partsIn(part.parts)] : [part],
  );

const allParts = ({ blocks }: Guide) => linesIn(blocks).flatMap(partsIn);
const codesIn = (guide: Guide) =>
  allParts(guide).flatMap((part) => (typeof part === 'object' && part.kind === 'code' ? [part.text] : []));

const headingsOf = (guide: Guide | undefined) =>
  (guide?.blocks ?? []).flatMap((block) => (block.kind === 'heading' ? [block.id] : []));

for (const file of files) {
  describe(`docs/guide/${file}`, () => {
    const text = textOf(file);
    const guide = readGuide(file, text);

    test('has links that the console can follow', () => {
      for (const part of allParts(guide)) {
        if (typeof part !== 'object' || part.kind !== 'guide') continue;
        const headings = headingsOf(read.get(part.page));
        assert.ok(
          part.hash === '' ? headings.length > 0 : headings.includes(part.hash),
          JSON.stringify(part),
        );
      }
    });

    test('names each heading once', () => {
      const headings = headingsOf(guide);
      assert.equal(new Set(headings).size, headings.length);
    });

    test('names only fields, figures and reasons that there are', () => {
      const known = new Set([
        ...Object.keys(teamSettings),
        ...entities.flatMap(({ key, fields }) => [key, ...Object.keys(fields)]),
        ...Object.keys(measures),
        ...Object.keys(dimensions),
        ...shownCounters.map(({ name }) => name),
        ...Object.keys(reasons),
        ...Object.keys(alertConditions),
        // The element of VAST, the name of a URL in a row of `ZoneUrls`, and what a row of `Flights` has.
        'Pricing',
        'ZoneUrl',
        ...['Start', 'End', 'Spend'],
      ]);
      const names = codesIn(guide).filter((code) =>
        /^(?:[A-Z][a-z]+[A-Za-z]*|[a-z]+(?:_[a-z]+)+)$/.test(code),
      );
      assert.deepEqual(
        names.filter((name) => !known.has(name)),
        [],
      );
    });
  });
}

test('every reason stands once in "Why no ad?"', () => {
  const named = tablesIn(textOf('why-no-ad.md')).flatMap(({ words }) => words);
  assert.deepEqual(named.toSorted(), Object.keys(reasons).toSorted());
});

test('the glossary has every table that names something', () => {
  const named = tablesIn(textOf('glossary.md')).map(({ name }) => name);
  assert.deepEqual(named, [
    'kinds',
    'measures',
    'dimensions',
    'columns',
    'units',
    'sections',
    'roles',
    'codes',
  ]);
});

test('a table or reason that is none, and what the console cannot show, are errors', () => {
  assert.throws(() => withTables('<!-- table: wishes -->\n<!-- /table -->'), /no table "wishes"/);
  assert.throws(
    () => withTables('<!-- table: reasons bad_luck -->\n<!-- /table -->'),
    /no reason "bad_luck"/,
  );
  const pictures = [
    '![a picture](a.png)',
    '![](pictures/test.png)',
    'a line with ![a picture](pictures/test.png)',
  ];
  for (const text of [...pictures, '<b>bold</b>', 'a line with <i>markup</i>', '> said']) {
    assert.throws(() => readGuide('a.md', `# A\n\n${text}\n`), /console shows no/);
  }
  assert.throws(() => readGuide('a.md', 'No heading.'), /does not begin with a heading/);
});

test('a picture by itself is one in the console, small and in both modes', () => {
  const shown = [...read.values()].flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.kind === 'picture' ? [block.name] : [])),
  );
  assert.ok(shown.length > 4);
  for (const name of shown.flatMap((file) => [file, file.replace('.png', '-dark.png')])) {
    const { size } = statSync(new URL(`pictures/${name}`, folder));
    assert.ok(size <= 150 * 1024, `${name} has ${size} bytes`);
  }
});

test('the contents name every guide', () => {
  const contents = read.get(pageOf('README.md'));
  const others = [...read.values()].filter((guide) => guide !== contents);
  const named = contents
    ? allParts(contents).flatMap((part) =>
        typeof part === 'object' && part.kind === 'guide' ? [part.page] : [],
      )
    : [];
  assert.deepEqual(named.toSorted(), others.map(({ page }) => page).toSorted());
});

describe('on a server', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  const call = async (path: string, body: object) => {
    const answer = await fetch(`${server.url}/api/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.token}` },
      body: JSON.stringify(body),
    });
    return (await answer.json()) as Record<
      string,
      { Id: number; ZoneUrls: { ZoneUrl: string }[]; Revision: number }
    >;
  };

  test('the first ad comes by the calls of its guide', async () => {
    const output = await runCommands(guideCode('first-ad.md', 'As API calls', 'sh'), {
      BOURSE: server.url,
      MAIL: server.mail,
      PASSWORD: server.password,
    });
    assert.match(output, /<VAST.*https:\/\/cdn\.first\.example\/film\.mp4/s);
  });

  test('the bid request of the guide for publishers gets a bid', async () => {
    const [example = ''] = guideCode('publishers.md', 'OpenRTB', 'sh');
    const body = /-d '(.*)'/s.exec(example)?.[1] ?? '';
    const account = { Name: 'A', Mail: 'a@a.example', Country: 'DE' };
    const { Publisher } = await call('publisher/add', { Publisher: { ...account, Username: 'p' } });
    const { Advertiser } = await call('advertiser/add', { Advertiser: { ...account, Username: 'a' } });
    const { RtbEp } = await call('ortb/rtbep/add', {
      RtbEp: { PublisherId: Publisher?.Id, Name: 'E', BannerEnabled: 1 },
    });
    await call('campaign/add', {
      Campaign: {
        AdvertiserId: Advertiser?.Id,
        Type: 2,
        Cpm: 2,
        Html: '<b>ad</b>',
        ClickUrl: 'https://a.example/',
        Width: 300,
        Height: 250,
        RtbEps: [RtbEp?.Id],
      },
    });
    const url = RtbEp?.ZoneUrls[0]?.ZoneUrl ?? '';
    const deadlineMs = Date.now() + 10_000;
    let answer = await fetch(url, { method: 'POST', body });
    // The exchange serves what was added within a second.
    while (answer.status !== 200 && Date.now() < deadlineMs) {
      await pause();
      answer = await fetch(url, { method: 'POST', body });
    }
    assert.equal(answer.status, 200, await answer.clone().text());
    const [seat] = ((await answer.json()) as { seatbid: { bid: { price: number; nurl: string }[] }[] })
      .seatbid;
    assert.match(seat?.bid[0]?.nurl ?? '', /\$\{AUCTION_PRICE\}/);
  });
});
