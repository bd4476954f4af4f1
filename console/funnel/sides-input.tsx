import { entities } from '../field-tables.ts';
import { ObjectSelect } from '../parts/object-select.tsx';
import type { FunnelSearch } from './funnel-search.ts';

type Sides = Pick<FunnelSearch, 'supply' | 'demand'>;

interface SidesProps extends Sides {
  readonly onChange: (changed: Sides) => void;
}

const kindsOf = (wanted: 'supply' | 'demand') =>
  entities.filter(({ side }) => side === wanted).map(({ key }) => key);
const kinds = { supply: kindsOf('supply'), demand: kindsOf('demand') };

/** A supply object, a demand object, or both. */
export function SidesInput({ supply, demand, onChange }: SidesProps) {
  return (
    <>
      <ObjectSelect
        {...{ label: 'Supply', placeholder: 'All', kinds: kinds.supply, value: supply }}
        onChange={(value) => onChange({ supply: value })}
      />
      <ObjectSelect
        {...{ label: 'Demand', placeholder: 'All', kinds: kinds.demand, value: demand }}
        onChange={(value) => onChange({ demand: value })}
      />
    </>
  );
}
