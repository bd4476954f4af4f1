import type { ListKind } from '../../../src/entities/kinds.ts';
import type { ServedObject } from '../../../src/exchange/configuration.ts';
import type { Opportunity } from '../../../src/exchange/opportunity.ts';
import { refuse } from '../../../src/exchange/reasons.ts';
import type { ActiveList, SnapshotCompiler } from '../../../src/exchange/snapshot/compile.ts';
import type { Check, Lists } from '../../../src/exchange/targeting/rule.ts';

/** What has been compiled: `supply VastTag:1`, `demand DspVastTag:2`, `index DspVastTag:2`, `list DomainList:3`. */
export type Compiled = string[];

/** A country, and a domain list, as rules would check them. */
function checksOf(object: ServedObject, lists: Lists): readonly Check[] {
  const countries = object.settings.Countries;
  const country: Check = (opportunity) =>
    countries.length === 0 || countries.includes(opportunity.country)
      ? undefined
      : refuse('country_not_targeted');
  const listed = object.connections.DomainsBrandsList ?? [];
  const domain: Check = ({ inventory }) =>
    [...listed, ...lists.global('DomainList', object.teamId)].some((id) => lists.domain(id, inventory.domain))
      ? refuse('domain_listed')
      : undefined;
  return [country, domain];
}

function createPlaces() {
  const placed = new Map<string, ActiveList<ReadonlySet<string>>>();
  const has = (kind: ListKind) => (id: number, text: string) =>
    placed.get(`${kind}:${id}`)?.matcher.has(text) ?? false;
  const lists: Lists = {
    domain: has('DomainList'),
    app: has('AppList'),
    ip: (id, { text }) => has('IpList')(id, text),
    keyword: (id, query) => (has('KeywordList')(id, query) ? query : undefined),
    global: (kind, teamId) =>
      placed
        .entries()
        .filter(([key, list]) => key.startsWith(`${kind}:`) && list.isGlobal && list.teamId === teamId)
        .map(([key]) => Number(key.split(':')[1]))
        .toArray()
        .sort((a, b) => a - b),
  };
  return {
    lists,
    put: (kind: ListKind, id: number, list: ActiveList<ReadonlySet<string>>) =>
      void placed.set(`${kind}:${id}`, list),
    remove: (kind: ListKind, id: number) => void placed.delete(`${kind}:${id}`),
  };
}

/** Compiles two rules in the plainest way, and notes in `compiled` what it was asked to. */
export function plainCompile(compiled: Compiled = []): SnapshotCompiler<ReadonlySet<string>> {
  const checks = (what: string) => (object: ServedObject, lists: Lists) => {
    compiled.push(`${what} ${object.entity}:${object.id}`);
    return checksOf(object, lists);
  };
  return {
    listTable: createPlaces,
    listsOf: ({ connections: { DomainsBrandsList = [] } }) =>
      DomainsBrandsList.map((id) => ({ kind: 'DomainList', id })),
    async list(kind, parts) {
      const lines = (await Array.fromAsync(parts)).flatMap((part) => part.split('\n'));
      compiled.push(`list ${kind} of ${lines.length}`);
      return new Set(lines);
    },
    matcher: (_, memory) => memory as ReadonlySet<string>,
    supplyChecks: checks('supply'),
    demandChecks: checks('demand'),
    dealChecks: ({ settings: { Countries } }) => [
      ({ country }) =>
        Countries.length === 0 || Countries.includes(country) ? undefined : refuse('country_not_targeted'),
    ],
    isSameTargeting: (before, after) => before === after,
    floorIndex: () => {
      throw new Error('there are no floor rules here');
    },
    candidateIndex: function indexOf(connected) {
      compiled.push(`index ${connected.map(({ kind, id }) => `${kind}:${id}`).join(' ')}`);
      const explain = (check: readonly Check[], opportunity: Opportunity) =>
        check.map((one) => one(opportunity)).find((refusal) => refusal !== undefined);
      return {
        connected,
        select: (opportunity) =>
          connected.filter(
            ({ isActive, account, checks: own }) =>
              isActive && account.isActive && explain(own, opportunity) === undefined,
          ),
        refusedCounts: () => {
          throw new Error('nothing is counted here');
        },
        explain: (demand, opportunity) => explain(demand.checks, opportunity),
        refusals: (demand, opportunity) => demand.checks.flatMap((check) => check(opportunity) ?? []),
        *after(next) {
          yield;
          return indexOf(next);
        },
      };
    },
  };
}
