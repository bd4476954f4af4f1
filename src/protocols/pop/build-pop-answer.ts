import { xmlCdata } from '../vast/xml-values.ts';

export interface PopAnswer {
  readonly title: string;
  /** Shown to the visitor, who is not sent there. */
  readonly url: string;
  readonly description: string;
  /** USD for this one visit, as decimals. */
  readonly bid: string;
  readonly click: string;
}

const members = ['title', 'url', 'description', 'bid', 'click'] as const satisfies (keyof PopAnswer)[];

function xml(answer: PopAnswer): string {
  const elements = members.map((name) => `<${name}>${xmlCdata(answer[name])}</${name}>`);
  return `<?xml version="1.0" encoding="UTF-8"?><result><record>${elements.join('')}</record></result>`;
}

function json({ title, url, description, bid, click }: PopAnswer): string {
  return JSON.stringify({ result: [{ title, url, description, bid: Number(bid), click }] });
}

/** With their content types (reference, "Pops and banners"). */
export const popForms = {
  xml: { contentType: 'application/xml; charset=utf-8', build: xml },
  json: { contentType: 'application/json; charset=utf-8', build: json },
} as const;
