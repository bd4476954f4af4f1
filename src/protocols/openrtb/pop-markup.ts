import { SaxesParser } from 'saxes';
import { xmlText } from '../vast/xml-values.ts';

const isHttpUrl = (text: string) => /^https?:\/\/\S+$/i.test(text);

/** At any depth; undefined if there is none before the first error in the XML. */
function urlElement(xml: string): string | undefined {
  const parser = new SaxesParser();
  let found: string | undefined;
  let text: string | undefined;
  const add = (part: string) => {
    if (text !== undefined) text += part;
  };
  parser.on('opentag', ({ name }) => {
    if (name.toLowerCase() === 'url') text = '';
  });
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', ({ name }) => {
    if (name.toLowerCase() !== 'url') return;
    found ??= text?.trim();
    text = undefined;
  });
  try {
    parser.write(xml).close();
  } catch {
    return found;
  }
  return found;
}

/** `adm` holds it as it is or in XML (OpenRTB has no pops). */
export function popUrl(markup: string): string | undefined {
  const trimmed = markup.trim();
  const url = trimmed.startsWith('<') ? urlElement(trimmed) : trimmed;
  return url !== undefined && isHttpUrl(url) ? url : undefined;
}

/** As `popUrl` reads it. */
export function popXml(url: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><ad><popunderAd><url>${xmlText(url)}</url></popunderAd></ad>`;
}
