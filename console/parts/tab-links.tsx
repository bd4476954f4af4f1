import { Link } from '@tanstack/react-router';
import classes from './tab-links.module.css';

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly { readonly to: string; readonly title: string }[];
}

/** The parts of a screen, each at an address of its own. */
export function TabLinks({ label, tabs }: TabsProps) {
  return (
    <nav className={classes.tabs} aria-label={label}>
      {tabs.map(({ to, title }) => (
        <Link key={to} to={to} className={classes.tab} activeOptions={{ exact: true, includeSearch: false }}>
          {title}
        </Link>
      ))}
    </nav>
  );
}
