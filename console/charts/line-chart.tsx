import { type PointerEvent, useEffect, useRef, useState } from 'react';
import classes from './line-chart.module.css';
import { lineColors } from './line-colors.ts';
import { labelEvery, roundTicks, runsOf } from './scale.ts';

export interface Series {
  readonly name: string;
  readonly values: readonly (number | null)[];
  /** Drawn dashed and grey: what the others are compared with. */
  readonly isBefore?: boolean;
}

interface ChartProps {
  readonly label: string;
  readonly categories: readonly string[];
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
  /** Moments to be marked, by the place of the category that they fall into. */
  readonly marks?: readonly { readonly at: number; readonly text: string }[];
  /** Called with the text of a mark that is pressed. */
  readonly onMark?: (text: string) => void;
  readonly height?: number;
  /** Whether the names of the lines are shown elsewhere. */
  readonly hasNoLegend?: boolean;
}

/** A line as it is drawn. */
interface Line extends Series {
  /** Its place among the series: two objects may have the same name. */
  readonly id: number;
  readonly color: string;
}

/** Where values are in the plot, in pixels. */
interface Scale {
  readonly x: (at: number) => number;
  readonly y: (value: number) => number;
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
}

const grey = '#868e96';
const [markHeightPx, labelHeightPx, characterPx] = [22, 24, 7];

const linesOf = (series: readonly Series[]): readonly Line[] =>
  series.map((one, index) => ({
    ...one,
    id: index,
    color: one.isBefore ? grey : (lineColors[index % lineColors.length] ?? grey),
  }));

/** The width of an element, which follows it. */
function useWidth() {
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!place.current) return undefined;
    const watch = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    watch.observe(place.current);
    return () => watch.disconnect();
  }, []);
  return { place, width };
}

function scaleOf(
  { categories, format }: Pick<ChartProps, 'categories' | 'format'>,
  ticks: readonly number[],
  { width, height, top }: { readonly width: number; readonly height: number; readonly top: number },
): Scale {
  const left = 12 + characterPx * Math.max(...ticks.map((tick) => format(tick).length));
  const [right, bottom] = [width - 16, height - labelHeightPx];
  const [least = 0, greatest = 1] = [ticks[0], ticks.at(-1)];
  const steps = Math.max(1, categories.length - 1);
  return {
    x: (at) => (categories.length === 1 ? (left + right) / 2 : left + ((right - left) * at) / steps),
    y: (value) => bottom - ((bottom - top) * (value - least)) / (greatest - least || 1),
    left,
    right,
    bottom,
  };
}

function LinePath({ line, scale }: { readonly line: Line; readonly scale: Scale }) {
  const [width, dash] = line.isBefore ? [1.5, '5 4'] : [2, undefined];
  return runsOf(line.values).map((run) => {
    const [[at, value] = [0, 0]] = run;
    if (run.length === 1)
      return <circle key={at} cx={scale.x(at)} cy={scale.y(value)} r={3} fill={line.color} />;
    const points = run.map(([place, one]) => `${scale.x(place)},${scale.y(one)}`);
    return (
      <polyline
        key={at}
        points={points.join(' ')}
        fill="none"
        stroke={line.color}
        strokeWidth={width}
        strokeDasharray={dash}
        strokeLinejoin="round"
      />
    );
  });
}

/** Names at the edges would be cut off in the middle; a single one stands in the middle of the chart. */
function anchorAt(at: number, count: number): 'start' | 'middle' | 'end' {
  if (count === 1) return 'middle';
  if (at === 0) return 'start';
  return at === count - 1 ? 'end' : 'middle';
}

function Axes({
  categories,
  ticks,
  scale,
  format,
}: Pick<ChartProps, 'categories' | 'format'> & { readonly ticks: readonly number[]; readonly scale: Scale }) {
  const { left, right, bottom, x, y } = scale;
  const every = labelEvery(categories, right - left, { characterPx });
  return (
    <g>
      {ticks.map((tick) => (
        <g key={tick}>
          <line className={classes.grid} x1={left} x2={right} y1={y(tick)} y2={y(tick)} />
          <text x={left - 8} y={y(tick)} textAnchor="end" dominantBaseline="central">
            {format(tick)}
          </text>
        </g>
      ))}
      {categories.map((category, at) =>
        at % every === 0 ? (
          <text
            // biome-ignore lint/suspicious/noArrayIndexKey: names of hours come twice when clocks go back
            key={`${at} ${category}`}
            x={x(at)}
            y={bottom + 18}
            textAnchor={anchorAt(at, categories.length)}
          >
            {category}
          </text>
        ) : null,
      )}
    </g>
  );
}

function Marks({
  categories,
  marks = [],
  onMark,
  scale,
  top,
}: Pick<ChartProps, 'categories' | 'marks' | 'onMark'> & { readonly scale: Scale; readonly top: number }) {
  return marks.map(({ at, text }) => {
    const x = scale.x(at);
    return (
      // biome-ignore lint/a11y/noStaticElementInteractions: the same is a button in the list below the chart
      <g key={text} className={classes.mark} onClick={() => onMark?.(text)}>
        <line x1={x} x2={x} y1={top} y2={scale.bottom} stroke={grey} strokeDasharray="4 4" />
        <rect x={x - 14} y={top - markHeightPx} width={28} height={markHeightPx} fill="transparent" />
        <text x={x} y={top - 6} textAnchor={anchorAt(at, categories.length)}>
          {text}
        </text>
      </g>
    );
  });
}

function Swatch({ line }: { readonly line: Line }) {
  return (
    <span
      className={classes.swatch}
      data-before={line.isBefore || undefined}
      style={{ borderColor: line.color }}
    />
  );
}

function Tooltip({
  at,
  categories,
  lines,
  format,
  scale,
}: Pick<ChartProps, 'categories' | 'format'> & {
  readonly at: number;
  readonly lines: readonly Line[];
  readonly scale: Scale;
}) {
  const x = scale.x(at);
  const isLeft = x > (scale.left + scale.right) / 2;
  const side = isLeft ? { right: `calc(100% - ${x - 12}px)` } : { left: x + 12 };
  return (
    <div className={classes.tooltip} style={side} aria-hidden="true">
      <b>{categories[at]}</b>
      <dl>
        {lines.map((line) => {
          const value = line.values[at];
          return [
            <Swatch key={`${line.id} swatch`} line={line} />,
            <dt key={`${line.id} name`}>{line.name}</dt>,
            <dd key={`${line.id} value`}>{typeof value === 'number' ? format(value) : '–'}</dd>,
          ];
        })}
      </dl>
    </div>
  );
}

function Legend({
  lines,
  hidden,
  onToggle,
}: {
  readonly lines: readonly Line[];
  readonly hidden: ReadonlySet<number>;
  readonly onToggle: (id: number) => void;
}) {
  return (
    <div className={classes.legend}>
      {lines.map((line) => (
        <button
          key={line.id}
          type="button"
          className={classes.name}
          aria-pressed={!hidden.has(line.id)}
          onClick={() => onToggle(line.id)}
        >
          <Swatch line={line} />
          {line.name}
        </button>
      ))}
    </div>
  );
}

/** The category that is pointed at. */
function usePointed(count: number, scale: Scale) {
  const [pointed, setPointed] = useState<number>();
  const at = pointed === undefined ? undefined : Math.min(pointed, count - 1);
  const within = (place: number) => Math.max(0, Math.min(count - 1, place));
  const point = (event: PointerEvent<HTMLDivElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
    const share = (x - scale.left) / Math.max(1, scale.right - scale.left);
    setPointed(within(Math.round(share * (count - 1))));
  };
  // A finger taps where a mouse moves.
  const handlers = {
    onPointerMove: point,
    onPointerDown: point,
    onPointerLeave: () => setPointed(undefined),
  };
  return { at, handlers };
}

function Plot(props: ChartProps & { readonly lines: readonly Line[]; readonly plotHeight: number }) {
  const { label, categories, format, lines, plotHeight: height, marks = [] } = props;
  const { place, width } = useWidth();
  const top = marks.length > 0 ? markHeightPx + 4 : 10;
  const ticks = roundTicks(
    lines.flatMap(({ values }) => values.filter((value): value is number => value !== null)),
  );
  const scale = scaleOf(props, ticks, { width, height, top });
  const { at, handlers } = usePointed(categories.length, scale);
  return (
    <div ref={place} className={classes.plot} style={{ height }} role="img" aria-label={label} {...handlers}>
      {width > 0 && categories.length > 0 && (
        <svg width={width} height={height} aria-hidden="true">
          <Axes categories={categories} ticks={ticks} scale={scale} format={format} />
          {at !== undefined && (
            <line className={classes.grid} x1={scale.x(at)} x2={scale.x(at)} y1={top} y2={scale.bottom} />
          )}
          {lines.map((line) => (
            <LinePath key={line.id} line={line} scale={scale} />
          ))}
          {at !== undefined &&
            lines.map(({ id, values, color }) => {
              const value = values[at];
              return typeof value === 'number' ? (
                <circle key={id} cx={scale.x(at)} cy={scale.y(value)} r={3.5} fill={color} />
              ) : null;
            })}
          <Marks {...props} scale={scale} top={top} />
        </svg>
      )}
      {width > 0 && at !== undefined && (
        <Tooltip at={at} categories={categories} lines={lines} format={format} scale={scale} />
      )}
    </div>
  );
}

/** Lines over time. The same values are in a table next to it, for people who cannot see it. */
export function LineChart(props: ChartProps) {
  const { series, height = 260, hasNoLegend = false } = props;
  const [hidden, setHidden] = useState<ReadonlySet<number>>(new Set());
  const lines = linesOf(series);
  const toggle = (id: number) => setHidden((were) => were.symmetricDifference(new Set([id])));
  const legendHeight = hasNoLegend ? 0 : 28;
  return (
    <div className={classes.chart}>
      {!hasNoLegend && <Legend lines={lines} hidden={hidden} onToggle={toggle} />}
      <Plot {...props} lines={lines.filter(({ id }) => !hidden.has(id))} plotHeight={height - legendHeight} />
    </div>
  );
}
