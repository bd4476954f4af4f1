import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headersOf, textOf } from './receivers.ts';
import { startSendingRoom } from './sending-room.ts';

const { server, api, mail, one } = await startSendingRoom({
  smtpUrl: 'smtp://mail.invalid',
  mailFrom: 'bourse@exchange.example',
});

const lastMail = () => mail.mails.at(-1) ?? assert.fail('no mail came');

test('an invitation is mailed with a link that only the mail has, and says who invites to what', async () => {
  const publisher = await api.add('Publisher', { Name: 'Nordlicht\r\nBcc: spy@evil.example' });
  const Mail = 'grace@example.com';
  const sent = { Mail, FirstName: 'Grace', LastName: 'Hopper', Role: 3, PublisherId: publisher.Id };
  const { body } = await api.post('/api/auth/user/invite', sent);
  assert.partialDeepStrictEqual(body, { Link: '', Mailed: 1, User: { Mail, Invited: 1 } });
  await one.run();
  assert.equal(mail.mails.length, 1);
  assert.deepEqual(lastMail().to, [Mail]);
  assert.match(headersOf(lastMail()), /Subject: Invitation to .+ on Bourse/);
  assert.doesNotMatch(headersOf(lastMail()), /Bcc/i);
  const text = textOf(lastMail());
  assert.match(text, /^Hello Grace,/);
  assert.match(text, /for the publisher Nordlicht Bcc: spy@evil\.example\./);
  const [, Link] = /#invite=(\S+)/.exec(text) ?? [];
  const nobody = api.as('');
  const accepted = await nobody.post('/api/auth/link', { Link, NewPassword: 'long enough' });
  assert.equal(accepted.status, 200, accepted.text);
  assert.equal(accepted.body.Username, Mail);
});

test('without SendMail, or tried only, nothing is mailed', async () => {
  const count = mail.mails.length;
  const sent = { Mail: 'linus@example.com', FirstName: 'Linus', LastName: 'Lovelace', Role: 1 };
  const tried = await api.post('/api/auth/user/invite?DryRun=1', sent);
  assert.equal(tried.body.Mailed, 1);
  const { body } = await api.post('/api/auth/user/invite', { ...sent, SendMail: 0 });
  assert.equal(body.Mailed, 0);
  assert.ok(String(body.Link).startsWith(`${server.url}/#invite=`));
  const third = await api.post('/api/auth/user/invite', { ...sent, Mail: 'last@example.com' });
  assert.equal(third.status, 200, third.text);
  await one.run();
  assert.equal(mail.mails.length, count + 1);
  assert.deepEqual(lastMail().to, ['last@example.com']);
});
