import { xmlAttribute } from '../../../protocols/vast/xml-values.ts';

const pixelStyle = 'position:absolute;width:1px;height:1px;opacity:0';

/** `impression` is the pixel's URL. It comes first, because broken markup would swallow it. */
export function bannerPage(markup: string, impression: string): string {
  const pixel = `<img src="${xmlAttribute(impression)}" alt="" style="${pixelStyle}">`;
  return `<!doctype html><html><head><meta charset="utf-8"><style>html,body{margin:0;overflow:hidden}</style></head><body>${pixel}${markup}</body></html>`;
}
