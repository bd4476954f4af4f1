import { Parser } from 'htmlparser2';

const name = 'appstore:developer_url';

/** The developer's URL that an app's page in its store tells in its head (app-ads.txt 1.0, section 4); `""` where it tells none. */
export function readDeveloperUrl(html: string): string {
  let url = '';
  const parser = new Parser({
    onopentag(tag, attributes) {
      if (tag === 'meta' && attributes.name === name && url === '') url = attributes.content ?? '';
      if (tag === 'body') parser.pause();
    },
  });
  parser.end(html);
  // A copy: a part of the page would keep the whole of it in memory.
  return Buffer.from(url.trim()).toString();
}
