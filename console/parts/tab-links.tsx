import { Link, useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import classes from './tab-links.module.css';

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly { readonly to: string; readonly title: string }[];
}

/** The parts of a screen, each at an address of its own; the one that is open is scrolled to where there is no room for all. */
export function TabLinks({ label, tabs }: TabsProps) {
  const { pathname } = useLocation();
  const place = useRef<HTMLElement>(null);
  const open = tabs.findIndex(({ to }) => to === pathname);
  useEffect(() => {
    const nav = place.current;
    const link = nav?.querySelectorAll('a')[open];
    if (nav && link)
      nav.scrollLeft = link.offsetLeft - nav.offsetLeft - (nav.clientWidth - link.offsetWidth) / 2;
  }, [open]);
  return (
    <nav ref={place} className={classes.tabs} aria-label={label}>
      {tabs.map(({ to, title }) => (
        <Link key={to} to={to} className={classes.tab} activeOptions={{ exact: true, includeSearch: false }}>
          {title}
        </Link>
      ))}
    </nav>
  );
}
