import { Parser } from 'htmlparser2';

const name = 'appstore:developer_url';

/** From an app's store page (app-ads.txt 1.0, section 4); `""` if there is none. */
export function readDeveloperUrl(html: string): string {
  let url = '';
  const parser = new Parser({
    onopentag(tag, attributes) {
      if (tag === 'meta' && attributes.name === name && url === '') url = attributes.content ?? '';
      if (tag === 'body') parser.pause();
    },
  });
  parser.end(html);
  // A copy: V8 would keep the whole page for a slice of it.
  return Buffer.from(url.trim()).toString();
}
