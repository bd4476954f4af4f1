import type { Demand } from '../snapshot/demand.ts';
import type { Solicitation } from './demand-kind.ts';

/** By name; `""` if unknown. `demand`: whose URL it is. */
export type Macros = Readonly<Record<string, (solicitation: Solicitation, demand: Demand) => string>>;

type UrlTemplate<Asked> = (asked: Asked) => string;

/** Fills known macros URL-encoded; other text in braces stays. */
export function urlTemplate<Asked>(
  demand: Demand,
  url: string,
  macros: Readonly<Record<string, (asked: Asked, demand: Demand) => string>>,
): UrlTemplate<Asked> {
  const parts = url.split(/\{(\w+)\}/);
  const filled = parts.map((part, index) => {
    if (index % 2 === 0) return () => part;
    const fill = Object.hasOwn(macros, part) ? macros[part] : undefined;
    if (fill === undefined) return () => `{${part}}`;
    return (asked: Asked) => encodeURIComponent(fill(asked, demand).toWellFormed());
  });
  return (asked) => filled.map((part) => part(asked)).join('');
}

export function urlTemplates(macros: Macros): (demand: Demand, url: string) => UrlTemplate<Solicitation> {
  const templates = new WeakMap<Demand, Map<string, UrlTemplate<Solicitation>>>();
  return (demand, url) => {
    let ofDemand = templates.get(demand);
    if (!ofDemand) {
      ofDemand = new Map();
      templates.set(demand, ofDemand);
    }
    const known = ofDemand.get(url);
    if (known) return known;
    const template = urlTemplate(demand, url, macros);
    ofDemand.set(url, template);
    return template;
  };
}
