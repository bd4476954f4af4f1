import { Button, type ButtonProps } from '@mantine/core';
import { ChevronDown } from 'lucide-react';
import { type ComponentType, type KeyboardEvent, useEffect, useId, useState } from 'react';

/** What a menu is told by the button that opens it. */
export interface MenuProps {
  readonly id: string;
  readonly target: HTMLButtonElement;
  readonly position: 'bottom-start' | 'bottom-end';
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
}

interface MenuButtonProps extends ButtonProps, Partial<Pick<MenuProps, 'position'>> {
  readonly popup: 'menu' | 'listbox';
  readonly load: () => Promise<ComponentType<MenuProps>>;
  readonly title?: string;
}

/** Opens a menu, which is loaded as soon as the pointer or the focus is on the button. */
export function MenuButton({ popup, load, position = 'bottom-end', ...button }: MenuButtonProps) {
  const id = useId();
  const [target, setTarget] = useState<HTMLButtonElement | null>(null);
  const [isWanted, setOpen] = useState(false);
  const [Menu, setMenu] = useState<ComponentType<MenuProps>>();
  const [isThere, setThere] = useState(false);
  // A menu notes what has the focus, which it gives back, when it opens, but not if it is open from the beginning.
  useEffect(() => setThere(Menu !== undefined), [Menu]);
  const isOpen = isWanted && isThere;
  const prepare = async () => {
    const loaded = await load();
    setMenu(() => loaded);
  };
  const open = (shall: boolean) => {
    setOpen(shall);
    void prepare();
  };
  const openByArrow = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    open(true);
  };
  return (
    <>
      <Button
        color="gray"
        rightSection={<ChevronDown size={14} />}
        {...button}
        ref={setTarget}
        id={id}
        aria-haspopup={popup}
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${id}-dropdown` : undefined}
        onClick={() => open(!isWanted)}
        onKeyDown={openByArrow}
        onMouseEnter={() => void prepare()}
        onFocus={() => void prepare()}
      />
      {Menu && target && (
        <Menu id={id} target={target} position={position} isOpen={isOpen} setOpen={setOpen} />
      )}
    </>
  );
}
