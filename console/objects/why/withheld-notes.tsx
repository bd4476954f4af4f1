import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ShownWithholding } from '../../../src/answers/explanation.ts';
import { activityHelp, activityTitles } from '../../../src/reference/activities.ts';
import classes from './outcome.module.css';

interface WithheldProps {
  readonly withheld: readonly ShownWithholding[];
  /** Where nothing else is said of what is withheld. */
  readonly hasGuide?: boolean;
}

/** What the viewer does not permit a partner, and by which signals. */
export function WithheldNotes({ withheld, hasGuide = false }: WithheldProps) {
  return withheld.map(({ Activities, Wanted, Met }) => (
    <Text key={`${Wanted}${Met}`} size="sm" className={classes.refusal}>
      {hasGuide && (
        <Link to="/console/help/$page" params={{ page: 'privacy' }} hash="what-is-enforced">
          withheld
        </Link>
      )}
      <b title={Activities.map((name) => activityHelp[name]).join('; ')}>
        {Activities.map((name) => activityTitles[name]).join(', ')}
      </b>
      <span>
        wants <b>{Wanted}</b>
      </span>
      <span>
        met <b>{Met}</b>
      </span>
    </Text>
  ));
}
