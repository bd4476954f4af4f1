import { Link } from '@tanstack/react-router';
import { PaceCard } from '../../pace/pace-card.tsx';
import { useShownObject } from '../object-context.ts';

/** How the object delivers, beside its plan. */
export function PaceTab() {
  const { entity, object } = useShownObject();
  const settings = (
    <Link to="/console/$entity/$id" params={{ entity: entity.key, id: String(object.Id) }}>
      settings
    </Link>
  );
  const none = (
    <>
      It has no limit to follow now: none for a day, for a present flight, or between a first and a last day.
      Set one in its {settings}, under <i>Limits</i>.{' '}
      <Link to="/console/help/$page" params={{ page: 'budgets' }}>
        Budgets and pacing
      </Link>
    </>
  );
  return <PaceCard entity={entity.key} id={object.Id} none={none} />;
}
