import type { Demand } from '../snapshot/demand.ts';
import type { Solicitation } from './demand-kind.ts';

/** By name; `""` if unknown. `demand`: whose URL it is. */
export type Macros = Readonly<Record<string, (solicitation: Solicitation, demand: Demand) => string>>;

type UrlTemplate = (solicitation: Solicitation) => string;

/** Fills known macros URL-encoded; other text in braces stays. */
function urlTemplate(demand: Demand, url: string, macros: Macros): UrlTemplate {
  const parts = url.split(/\{(\w+)\}/);
  const filled = parts.map((part, index) => {
    if (index % 2 === 0) return () => part;
    const fill = Object.hasOwn(macros, part) ? macros[part] : undefined;
    if (fill === undefined) return () => `{${part}}`;
    return (solicitation: Solicitation) => encodeURIComponent(fill(solicitation, demand).toWellFormed());
  });
  return (solicitation) => filled.map((part) => part(solicitation)).join('');
}

export function urlTemplates(macros: Macros): (demand: Demand, url: string) => UrlTemplate {
  const templates = new WeakMap<Demand, Map<string, UrlTemplate>>();
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
