import type { DeviceKind, Viewer } from './viewers.ts';

/** A zone, and the kinds of its players' devices. */
export interface Zone {
  /** With its macros. */
  readonly url: string;
  readonly kinds: ReadonlySet<DeviceKind>;
}

/** Bots included. */
export const everyDevice: ReadonlySet<DeviceKind> = new Set(['phone', 'tablet', 'desktop', 'tv', 'bot']);

const macro = /\{(\w+)\}/g;

/** Unknown macros stay unfilled, which counts as absent. */
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
