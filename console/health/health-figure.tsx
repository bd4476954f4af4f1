import { Moment } from '../parts/moment.tsx';
import type { HealthCell } from './figures.ts';

export const HealthFigure = ({ cell }: { readonly cell: HealthCell }) =>
  typeof cell === 'string' ? cell : <Moment time={cell.time} form="time" />;
