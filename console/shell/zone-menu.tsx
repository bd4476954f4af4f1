import { MenuButton } from '../parts/menu-button.tsx';
import { useTimeZone } from '../parts/time-zone.ts';
import { offsetText, zoneName } from '../parts/zone-text.ts';

const load = async () => (await import('./zone-list.tsx')).ZoneList;

/** Shows which zone times are in, and chooses another one. */
export function ZoneMenu({ isNamed = false }: { readonly isNamed?: boolean }) {
  const [zone] = useTimeZone();
  const offset = offsetText(zone);
  return (
    <MenuButton
      popup="listbox"
      load={load}
      position={isNamed ? 'bottom-start' : 'bottom-end'}
      variant={isNamed ? 'default' : 'subtle'}
      size={isNamed ? 'sm' : 'compact-md'}
      aria-label={`Time zone: ${zoneName(zone)}, ${offset}`}
      title={`Times are shown in ${zoneName(zone)}`}
    >
      {isNamed && zone !== offset && `${zoneName(zone)}, `}
      {offset}
    </MenuButton>
  );
}
