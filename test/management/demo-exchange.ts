import { demoExchange } from '../../src/management/demonstration/demo-exchange.ts';
import { demoSetting } from '../../src/management/demonstration/demo-row.ts';
import { type Api, posted } from './api.ts';

/** Adds the exchange of `bourse demo` to a team; answers the ID of each object by its name there. */
export async function addDemoExchange(api: Api): Promise<(name: string) => number> {
  const ids = new Map<string, number>();
  const idOf = (name: string) => ids.get(name) ?? 0;
  const setting = demoSetting({ url: 'https://demo.example', key: 'key' }, Date.now());
  for (const { name, entity, values } of demoExchange) {
    const reply = await api.post(`/api/${entity.path}/add`, { [entity.wrapper]: values(idOf, setting) });
    ids.set(name, posted(reply, entity.wrapper).Id);
  }
  return idOf;
}
