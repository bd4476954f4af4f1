import type { Health } from '../../src/answers/object-health.ts';
import { lackText } from '../parts/lack-text.ts';
import { Moment } from '../parts/moment.tsx';
import { reasonText } from '../parts/reason-text.ts';

/** Why an object is as it is, in a line. */
export function Why({
  health: { State, Missing, Paused, Reasons, LastRequest },
}: {
  readonly health: Health;
}) {
  const [lack] = Missing;
  if (State === 'not_ready' && lack) return lackText(lack);
  if (Paused)
    return (
      <>
        {reasonText(Paused.Reason)}, until <Moment time={Paused.Until} form="time" />
      </>
    );
  if (State === 'idle' && LastRequest)
    return (
      <>
        no requests since <Moment time={LastRequest} form="time" />
      </>
    );
  return Reasons.map(({ Reason }) => reasonText(Reason)).join(', ');
}
