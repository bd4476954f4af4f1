import { Link } from '@tanstack/react-router';
import { plainHelp } from './help-text.tsx';
import { reasonText } from './reason-text.ts';

interface ReasonProps {
  readonly name: string;
  /** What it means, and what changes it. */
  readonly help?: string | undefined;
  readonly className?: string | undefined;
}

/** A reason, which leads to what the guide says of it. */
export function ReasonLink({ name, help, className }: ReasonProps) {
  return (
    <Link
      to="/console/help/$page"
      params={{ page: 'why-no-ad' }}
      hash={name}
      title={plainHelp(help)}
      className={className}
    >
      {reasonText(name)}
    </Link>
  );
}
