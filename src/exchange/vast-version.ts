import type { VastVersion } from '../protocols/vast/build-vast.ts';
import type { Supply } from './snapshot/supply.ts';

/** `Version` of a VAST Tag (specification 2.5); supply that has none gets VAST 3.0, which every player knows. */
export function vastVersionFor({ document }: Supply): VastVersion {
  return document.Version === 1 ? '4.0' : '3.0';
}
