import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tagMail } from './tag-mail.ts';

const letter = { to: 'a@pub.example', name: 'A & "B"', platform: 'JW Player', help: 'Put `it` there.' };

test('a mail has the tag and what to do with it, and nothing in it ends the link', () => {
  const code = 'https://ads.example/vast?zone=1&auth=x#?&cc=other@x.example';
  const { href, isWhole } = tagMail({ ...letter, code });
  assert.ok(isWhole);
  const { pathname, searchParams } = new URL(href);
  assert.equal(pathname, 'a@pub.example');
  assert.deepEqual([...searchParams.keys()], ['subject', 'body']);
  const body = searchParams.get('body') ?? '';
  for (const part of [code, 'Put it there.', 'A & "B"']) assert.ok(body.includes(part), body);
});

test('a code that is too long for a link is to be pasted', () => {
  const { href, isWhole } = tagMail({ ...letter, code: '<'.repeat(1000) });
  assert.ok(!isWhole && href.length < 2000 && decodeURIComponent(href).includes('[Paste the code here.]'));
});

test('an address cannot add receivers or headers', () => {
  const { href } = tagMail({ ...letter, to: 'a@x.example,b@y.example?bcc=c@z.example', code: '' });
  assert.doesNotMatch(href.slice(0, href.indexOf('?')), /[,?&]/);
  assert.equal(new URL(href).searchParams.get('bcc'), null);
});
