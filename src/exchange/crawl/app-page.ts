import { appStores } from '../../reference/app-stores.ts';
import type { Inventory } from '../opportunity.ts';

/**
 * The URL of an app's page in a known store, as host, path and the parameter that names the app; undefined for any
 * other URL. It comes from strangers, on whose word only stores may be called.
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
 * The page of an app in its store, without a scheme: the one that the request names, else the one that the bundle leads
 * to; `""` where there is neither.
 */
export function appStorePage({
  appStoreUrl,
  appBundle,
}: Pick<Inventory, 'appStoreUrl' | 'appBundle'>): string {
  const page = appStoreUrl === '' ? undefined : storeUrlOf(appStoreUrl);
  if (page !== undefined) return page;
  const store = appStores.find(({ bundle }) => bundle?.test(appBundle));
  return store === undefined ? '' : `${store.page}${appBundle}`;
}
