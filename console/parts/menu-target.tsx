import { type Ref, useImperativeHandle } from 'react';

interface TargetProps {
  readonly of: HTMLElement;
  readonly ref?: Ref<HTMLElement>;
}

/** Stands for an element that is elsewhere on the page, as what a menu is placed at. */
export function MenuTarget({ of, ref }: TargetProps) {
  useImperativeHandle(ref, () => of, [of]);
  return null;
}
