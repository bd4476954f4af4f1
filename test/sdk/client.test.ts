import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import {
  answerOf,
  arrayOf,
  asForm,
  BourseError,
  createBourseClient,
  objectOf,
  type Schemas,
} from '../../sdk/client.ts';
import { schemaFile, sdkSchema } from '../../sdk/generate.ts';
import { runToEnd } from '../spawned-server.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const account = { Mail: 'desk@example.com', Country: 'DE' };

describe('the SDK', () => {
  test('is what would be generated now; `npm run sdk` writes it', async () => {
    assert.equal(readFileSync(schemaFile, 'utf8'), await sdkSchema());
  });

  test('makes the whole tour', async () => {
    const bourse = createBourseClient({ baseUrl: server.url });
    await bourse.login(server.mail, server.password);

    const Publisher: Schemas['NewPublisher'] = { ...account, Name: 'Example Media', Username: 'media' };
    const publisher = await answerOf(bourse.POST('/api/publisher/add', { body: { Publisher } }));
    const PublisherId = publisher.Publisher.Id;

    const VastTag: Schemas['NewVastTag'] = { PublisherId, Name: 'Pre-roll', Countries: [{ CC: 'DE' }] };
    const vastTag = await answerOf(bourse.POST('/api/ortb/vasttag/add', { body: { VastTag } }));
    assert.deepEqual(vastTag.VastTag.Countries, [{ CC: 'DE', Country: 'Germany' }]);

    const Advertiser: Schemas['NewAdvertiser'] = { ...account, Name: 'Example Brand', Username: 'brand' };
    const advertiser = await answerOf(bourse.POST('/api/advertiser/add', { body: { Advertiser } }));

    const DspRtbEp: Schemas['NewDspVastTag'] = {
      AdvertiserId: advertiser.Advertiser.Id,
      ZoneUrlUsEast: 'https://dsp.example.com/vast?w={width}',
      VastTags: [vastTag.VastTag.Id],
    };
    const added = await answerOf(bourse.POST('/api/ortb/dspvasttag/add', { body: { DspRtbEp } }));
    const { Id } = added.DspRtbEp;

    const whole = await objectOf(bourse.GET('/api/ortb/dspvasttag/get', { params: { query: { Id } } }));
    assert.deepEqual(whole, added.DspRtbEp);
    const all = await arrayOf(bourse.GET('/api/ortb/dspvasttag/get'));
    assert.deepEqual(
      all.map(({ VastTags }) => VastTags),
      [[vastTag.VastTag.Id]],
    );
    const supply = await objectOf(
      bourse.GET('/api/ortb/vasttag/get', { params: { query: { Id: vastTag.VastTag.Id } } }),
    );
    assert.deepEqual(supply.DspVastTags, [Id]);

    const ended = await answerOf(
      bourse.POST('/api/ortb/dspvasttag/deactivate', { body: { DspRtbEp: { Id } } }),
    );
    assert.equal(ended.DspRtbEp.StatusString, 'Inactive');
    assert.deepEqual(
      await arrayOf(bourse.GET('/api/ortb/dspvasttag/get', { params: { query: { ActiveOnly: 1 } } })),
      [],
    );
    await bourse.logout();
  });

  test('types a fetch with an Id as one object, and one without as an array', async () => {
    const bourse = createBourseClient({ baseUrl: server.url, token: server.token });
    const { Tag } = await answerOf(bourse.POST('/api/tag/add', { body: { Tag: { Name: 'A' } } }));
    const { Id } = Tag;
    const one: Schemas['Tag'] = await answerOf(bourse.GET('/api/tag/get', { params: { query: { Id } } }));
    const all: Schemas['TagInArray'][] = await answerOf(bourse.GET('/api/tag/get'));
    const active = await answerOf(bourse.GET('/api/tag/get', { params: { query: { ActiveOnly: 1 } } }));
    assert.deepEqual([[one], active], [all, all]);
    // @ts-expect-error An object has no length.
    assert.equal(one.length, undefined);
    // @ts-expect-error An array has no name.
    assert.equal(all.Name, undefined);
    // @ts-expect-error There is no such parameter.
    const refused = bourse.GET('/api/tag/get', { params: { query: { Nonsense: 1 } } });
    assert.equal((await refused).response.status, 406);
    const some: { Id?: number } = { Id };
    const either = await answerOf(bourse.GET('/api/tag/get', { params: { query: some } }));
    assert.equal(Array.isArray(either), false);
  });

  test('sends a list as a file', async () => {
    const bourse = createBourseClient({ baseUrl: server.url, token: server.token });
    const body = { Name: 'Blocked', File: new Blob(['example.com\nexample.net\n']) };
    const added = await answerOf(bourse.POST('/api/domainlist/add', { body, bodySerializer: asForm }));
    assert.equal(added.DomainList.DomainCount, 2);
  });

  test('tells why a call was refused', async () => {
    const bourse = createBourseClient({ baseUrl: server.url, token: server.token });
    const call = answerOf(bourse.GET('/api/ortb/vasttag/get', { params: { query: { Id: 999 } } }));
    const refusal = await call.catch((error: unknown) => error);
    assert.ok(refusal instanceof BourseError);
    assert.equal(refusal.status, 406);
    assert.deepEqual(refusal.faults, [
      { Path: 'Id', Code: 'not_found', Message: 'VAST Tag 999 is not found' },
    ]);
    const stranger = createBourseClient({ baseUrl: server.url });
    await assert.rejects(stranger.login(server.mail, 'not the password'), {
      name: 'BourseError',
      status: 401,
    });
    await assert.rejects(answerOf(stranger.GET('/api/auth/account')), { name: 'BourseError', status: 401 });
  });

  test('renews its token once half of its life is over, for all calls at once', async () => {
    let nowMs = 0;
    const bourse = createBourseClient({ baseUrl: server.url, now: () => nowMs });
    await bourse.login(server.mail, server.password);
    const tokens = new Set<string | null>();
    const ask = async () => {
      const { response } = await bourse.GET('/api/auth/account', {
        fetch: (request: Request) => {
          tokens.add(request.headers.get('authorization'));
          return fetch(request);
        },
      });
      assert.equal(response.status, 200);
    };
    await ask();
    nowMs = 1_800_000;
    await Promise.all([ask(), ask(), ask()]);
    assert.equal(tokens.size, 2);
    await bourse.logout();
  });

  test('does what its README says', async () => {
    const folder = join(dirname(dirname(import.meta.dirname)), 'sdk');
    const readme = readFileSync(join(folder, 'README.md'), 'utf8');
    const blocks = Array.from(readme.matchAll(/```ts\n(.*?)```/gs), ([, code = '']) => code);
    const code = blocks
      .join('\n')
      .replace('http://127.0.0.1:8080', server.url)
      .replace('admin@localhost', server.mail)
      .replace('the password', server.password)
      .replaceAll("'bourse/client'", `'${pathToFileURL(join(folder, 'client.ts')).href}'`);
    const scratch = mkdtempSync(join(tmpdir(), 'bourse-sdk-'));
    const file = join(scratch, 'example.mts');
    writeFileSync(file, code);
    const { code: ended, output } = await runToEnd(process.execPath, [file]);
    rmSync(scratch, { recursive: true });
    assert.equal(ended, 0, output);
    assert.match(output, /^Active \d+$/m);
  });
});
