import { Button, Group, Input, Text, UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import {
  type CSSProperties,
  type FocusEvent,
  type KeyboardEvent,
  type PointerEvent,
  useRef,
  useState,
} from 'react';
import { hoursPerDay, weekdays, weekHoursText } from '../../../src/reference/week-hours.ts';
import classes from './hours-input.module.css';
import { commonProps, type InputProps } from './input-props.ts';
import {
  digitsOf,
  hoursOf,
  isOpenAt,
  movedBy,
  painted,
  presets,
  toggled,
  type WeekHour,
  wholeDay,
  wholeHour,
} from './week-grid.ts';

const hours = Array.from({ length: hoursPerDay }, (_, hour) => hour);
const two = (hour: number) => String(hour).padStart(2, '0');
/** Where hours stand side by side, the heading names every third. */
const namedEvery = 3;

/** Two hours that a hand or a shifted arrow spans, and whether it opens what is between them. */
interface Stroke {
  readonly from: WeekHour;
  readonly to: WeekHour;
  readonly isOpen: boolean;
}

const toggleKeys: readonly string[] = [' ', 'Enter'];

const isSameHour = (a: WeekHour, b: WeekHour) => a.day === b.day && a.hour === b.hour;

function hourOf(element: Element | null): WeekHour | undefined {
  const cell = element?.closest<HTMLElement>('[data-hour]');
  return cell ? { day: Number(cell.dataset.day), hour: Number(cell.dataset.hour) } : undefined;
}

const hourAt = ({ clientX, clientY }: PointerEvent) => hourOf(document.elementFromPoint(clientX, clientY));

/** For the style sheet, which has days below each other or side by side. */
const placeOf = ({ day, hour }: WeekHour): CSSProperties =>
  ({ '--day': day, '--hour': hour }) as CSSProperties;

interface GridProps {
  readonly label: string;
  /** 168 digits. */
  readonly digits: string;
  readonly onChange: (digits: string) => void;
  readonly isDisabled: boolean;
}

/** What a hand or keys do to the grid. */
function useStrokes({ digits, onChange, isDisabled }: GridProps, isTall: boolean) {
  const grid = useRef<HTMLTableElement>(null);
  const [focused, setFocused] = useState<WeekHour>({ day: 0, hour: 0 });
  const [stroke, setStroke] = useState<Stroke>();
  const focus = (at: WeekHour) =>
    grid.current?.querySelector<HTMLElement>(`[data-day="${at.day}"][data-hour="${at.hour}"]`)?.focus();
  const onFocus = ({ target }: FocusEvent) => setFocused(hourOf(target) ?? focused);
  const onPointerDown = (event: PointerEvent) => {
    const from = hourAt(event);
    if (isDisabled || event.button !== 0 || !from) return;
    setStroke({ from, to: from, isOpen: !isOpenAt(digits, from) });
  };
  const onPointerMove = (event: PointerEvent) => {
    const to = stroke && hourAt(event);
    if (to && !isSameHour(to, stroke.to)) setStroke({ ...stroke, to });
  };
  const end = () => {
    if (stroke) onChange(painted(digits, stroke.from, stroke.to, stroke.isOpen));
    setStroke(undefined);
  };
  const keyed = (key: string, isShift: boolean): void => {
    const to = movedBy(key, focused, isTall);
    if (to) focus(to);
    if (isDisabled) return;
    if (!to) onChange(toggled(digits, focused));
    else if (isShift) onChange(painted(digits, focused, to, isOpenAt(digits, focused)));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { target, key, shiftKey } = event;
    const isCell = target instanceof Element && hourOf(target) !== undefined;
    if (!isCell || !(toggleKeys.includes(key) || movedBy(key, focused, isTall))) return;
    event.preventDefault();
    keyed(key, shiftKey);
  };
  return {
    grid,
    focused,
    shown: stroke ? painted(digits, stroke.from, stroke.to, stroke.isOpen) : digits,
    handlers: {
      onFocus,
      onPointerDown,
      onPointerMove,
      onPointerUp: end,
      onPointerCancel: () => setStroke(undefined),
      onKeyDown,
    },
  };
}

function WeekGrid(props: GridProps) {
  const { label, digits, onChange, isDisabled } = props;
  const isTall = useMediaQuery('(max-width: 48em)') ?? false;
  const { grid, focused, shown, handlers } = useStrokes(props, isTall);
  const heading = (text: string, title: string, [from, to]: readonly [WeekHour, WeekHour]) => (
    <UnstyledButton
      className={classes.heading}
      aria-label={title}
      title={title}
      disabled={isDisabled}
      onClick={() => onChange(toggled(digits, from, to))}
    >
      {text}
    </UnstyledButton>
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: WAI-ARIA has a table as a grid whose cells are chosen
    <table ref={grid} role="grid" aria-label={label} className={classes.grid} {...handlers}>
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">Day</span>
          </th>
          {hours.map((hour) => (
            <th key={hour} scope="col" style={placeOf({ day: -1, hour })}>
              {heading(
                isTall || hour % namedEvery === 0 ? two(hour) : '·',
                `Every day ${two(hour)}–${two(hour + 1)}`,
                wholeHour(hour),
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weekdays.map((name, day) => (
          <tr key={name}>
            <th scope="row" style={placeOf({ day, hour: -1 })}>
              {heading(name.slice(0, 3), `${name.slice(0, 3)}, all day`, wholeDay(day))}
            </th>
            {hours.map((hour) => (
              <td
                key={hour}
                // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a cell of the grid
                role="gridcell"
                tabIndex={isSameHour(focused, { day, hour }) ? 0 : -1}
                aria-label={`${name} ${two(hour)}–${two(hour + 1)}`}
                aria-selected={isOpenAt(shown, { day, hour })}
                aria-disabled={isDisabled}
                className={classes.cell}
                data-day={day}
                data-hour={hour}
                style={placeOf({ day, hour })}
              />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const summaries: Readonly<Record<string, string>> = {
  always: 'Always open',
  never: 'Never open',
};

/** Hours of the week, painted on a grid of days and hours. */
export function HoursInput(props: InputProps) {
  const { value, onChange, isDisabled } = props;
  const { id, label, description, error } = commonProps(props);
  const digits = digitsOf(value);
  const text = weekHoursText(hoursOf(digits));
  return (
    <Input.Wrapper label={label} description={description} error={error} labelElement="div" id={id}>
      <Group gap="xs" mt={6} mb="xs">
        {Object.entries(presets).map(([name, preset]) => (
          <Button
            key={name}
            size="compact-sm"
            variant={preset === hoursOf(digits) ? 'light' : 'default'}
            aria-pressed={preset === hoursOf(digits)}
            disabled={isDisabled}
            onClick={() => onChange(preset)}
          >
            {name}
          </Button>
        ))}
      </Group>
      <WeekGrid
        label={`${label}: open hours`}
        digits={digits}
        onChange={(changed) => onChange(hoursOf(changed))}
        isDisabled={isDisabled}
      />
      <Text size="sm" mt="xs" aria-live="polite" fw={500}>
        {summaries[text] ?? text}
      </Text>
    </Input.Wrapper>
  );
}
