import { useShownObject } from '../objects/object-context.ts';
import { LogTable } from './log-table.tsx';

export function LogTab() {
  const { object } = useShownObject();
  return <LogTable alerts={[object]} only={object.Id} />;
}
