import type { DeviceKind, Viewer } from './viewers.ts';

/** A zone that players ask for ads, and the kinds of their devices. */
export interface Zone {
  /** With its macros. */
  readonly url: string;
  readonly kinds: ReadonlySet<DeviceKind>;
}

/** All kinds of devices, bots included. */
export const everyDevice: ReadonlySet<DeviceKind> = new Set(['phone', 'tablet', 'desktop', 'tv', 'bot']);

const macro = /\{(\w+)\}/g;

/** A zone URL as a player fills it. Macros it does not know stay unfilled, which counts as absent. */
export function filledZoneUrl({ url }: Zone, viewer: Viewer, cacheBuster: number): string {
  const values: Readonly<Record<string, string | number>> = {
    ip: viewer.ip,
    ua: viewer.userAgent,
    width: viewer.width,
    height: viewer.height,
    linearity: 1,
    lang: viewer.language,
    cb: cacheBuster,
  };
  return url.replaceAll(macro, (text, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value === undefined ? text : encodeURIComponent(value);
  });
}
