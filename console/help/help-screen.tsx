import { guides } from 'virtual:guides';
import { Link, useLocation, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { NotFound } from '../parts/not-found.tsx';
import { Blocks } from './blocks.tsx';
import { contentsPage } from './guide.ts';
import classes from './help.module.css';

/** The contents names the guides in the order in which they are best read. */
const order = JSON.stringify(guides.find(({ page }) => page === contentsPage)?.blocks);
const placeOf = (page: string) => order.indexOf(JSON.stringify({ kind: 'guide', page }).slice(0, -1));
const listed = guides.toSorted((one, other) => placeOf(one.page) - placeOf(other.page));

/** Leads to what the address names, also where the page was not there yet when the router looked for it. */
function useNamedPlace(page: string): void {
  const { hash } = useLocation();
  useEffect(() => {
    const place = hash === '' ? null : document.getElementById(hash);
    if (!place?.closest(`[data-page="${CSS.escape(page)}"]`)) return;
    place.scrollIntoView();
    place.focus({ preventScroll: true });
  }, [hash, page]);
}

/** A guide, beside the names of all. */
export function HelpScreen() {
  const { page } = useParams({ from: '/console/help/$page' });
  const shown = guides.find((guide) => guide.page === page);
  useNamedPlace(page);
  if (!shown) return <NotFound />;
  return (
    <div className={classes.layout}>
      <nav aria-label="Guides" className={classes.names}>
        {listed.map(({ page: name, title }) => (
          <Link
            key={name}
            to="/console/help/$page"
            params={{ page: name }}
            className={classes.name}
            activeOptions={{ includeHash: false }}
          >
            {title}
          </Link>
        ))}
      </nav>
      <article key={page} data-page={page} className={classes.guide}>
        <Blocks blocks={shown.blocks} />
      </article>
    </div>
  );
}
