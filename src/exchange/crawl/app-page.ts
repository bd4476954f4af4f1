import { appStores } from '../../reference/app-stores.ts';
import type { Inventory } from '../opportunity.ts';

/**
 * Host, path and the parameter that names the app, of a URL of one of the stores: strangers name it, and nothing else is
 * called on their word.
 */
function storeUrlOf(text: string): string | undefined {
  const url = URL.parse(text);
  const store = appStores.find(({ hosts }) => hosts.includes(url?.hostname ?? ''));
  if (url === null || store === undefined) return undefined;
  const place = `${url.hostname}${url.pathname}`;
  const app = store.parameter === undefined ? null : url.searchParams.get(store.parameter);
  return app === null ? place : `${place}?${store.parameter}=${encodeURIComponent(app)}`;
}

/**
 * The page of an app in its store, without a scheme: the one that is told, else the one its bundle leads to; `""`
 * where neither does.
 */
export function appPageOf({ appStoreUrl, appBundle }: Inventory): string {
  const told = appStoreUrl === '' ? undefined : storeUrlOf(appStoreUrl);
  if (told !== undefined) return told;
  const store = appStores.find(({ bundle }) => bundle?.test(appBundle));
  return store === undefined ? '' : `${store.page}${appBundle}`;
}
