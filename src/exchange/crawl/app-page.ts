import { appStores } from '../../reference/app-stores.ts';
import type { Inventory } from '../opportunity.ts';

/** Host, path and app parameter of a page in a known store. Strangers name URLs, so only stores are called. */
function storeUrlOf(text: string): string | undefined {
  const url = URL.parse(text);
  const store = appStores.find(({ hosts }) => hosts.includes(url?.hostname ?? ''));
  if (url === null || store === undefined) return undefined;
  const place = `${url.hostname}${url.pathname}`;
  const app = store.parameter === undefined ? null : url.searchParams.get(store.parameter);
  return app === null ? place : `${place}?${store.parameter}=${encodeURIComponent(app)}`;
}

/** The app's page in its store, without a scheme: as the request names it, else by its bundle; `""` if unknown. */
export function appStorePage({
  appStoreUrl,
  appBundle,
}: Pick<Inventory, 'appStoreUrl' | 'appBundle'>): string {
  const page = appStoreUrl === '' ? undefined : storeUrlOf(appStoreUrl);
  if (page !== undefined) return page;
  const store = appStores.find(({ bundle }) => bundle?.test(appBundle));
  return store === undefined ? '' : `${store.page}${appBundle}`;
}
