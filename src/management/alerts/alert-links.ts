import { figureReport } from '../../alerts/links.ts';
import type { Rule, RuleFilter } from '../../alerts/rule.ts';
import { entityOf } from '../../entities/registry.ts';
import type { Subject } from '../../store/alerts/interface.ts';

type Search = Readonly<Record<string, string | readonly object[]>>;

/** As the console reads it. */
function address(page: string, search: Search): string {
  const values = Object.entries(search).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return `/console/${page}?${new URLSearchParams(values)}`;
}

/** For an object or an account. */
function ownFilter({ kind, id }: Subject): RuleFilter | undefined {
  if (kind === '') return undefined;
  const side = entityOf(kind).exchange?.side;
  if (side === undefined) return { Field: kind, Operator: 'In', Values: [id] };
  return { Field: side === 'supply' ? 'Supply' : 'Demand', Operator: 'In', Values: [`${kind}:${id}`] };
}

/** The object, a report of the figure, and the object's funnel. */
export function linksOf(consoleUrl: string, rule: Rule, subject: Subject): Readonly<Record<string, string>> {
  const { kind, id } = subject;
  const side = kind === '' ? undefined : entityOf(kind).exchange?.side;
  const report = figureReport(rule, ownFilter(subject));
  return {
    ...(kind !== '' && { Object: `${consoleUrl}/console/${kind}/${id}` }),
    ...(report && { Report: `${consoleUrl}${address('reports', { ...report } as unknown as Search)}` }),
    ...(side && { Funnel: `${consoleUrl}${address('funnel', { [side]: `${kind}:${id}` })}` }),
  };
}
