/** What a link that people are handed holds: a login, or leave to set a password. */
export interface HandedLink {
  readonly kind: 'link' | 'invite';
  readonly secret: string;
}

const form = /^#(link|invite)=([\w-]{1,100})$/;

function read(): HandedLink | undefined {
  const [, kind, secret = ''] = form.exec(location.hash) ?? [];
  return kind === 'link' || kind === 'invite' ? { kind, secret } : undefined;
}

/** The link that opened the page, taken out of the address, where nobody is to find the secret afterwards. */
export function takeLink(): HandedLink | undefined {
  // One that is opened in this page later begins anew, too.
  addEventListener('hashchange', () => read() && location.reload());
  const link = read();
  if (link) history.replaceState(history.state, '', location.pathname + location.search);
  return link;
}
