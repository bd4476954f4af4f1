import { useComputedColorScheme } from '@mantine/core';
import { LineChart as Lines } from 'echarts/charts';
import {
  AriaComponent,
  GridComponent,
  LegendComponent,
  MarkLineComponent,
  TooltipComponent,
} from 'echarts/components';
import { type EChartsType, init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { useEffect, useRef } from 'react';
import { lineColors } from './line-colors.ts';

use([Lines, GridComponent, TooltipComponent, LegendComponent, MarkLineComponent, AriaComponent, SVGRenderer]);

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
  /** Moments to be marked, by the category that they fall into. */
  readonly marks?: readonly { readonly category: string; readonly text: string }[];
  /** What is done where the text of a mark is pressed. */
  readonly onMark?: (text: string) => void;
  readonly height?: number;
  /** Whether the names of the lines stand elsewhere. */
  readonly hasNoLegend?: boolean;
}

const inks = { light: { text: '#495057', line: '#dee2e6' }, dark: { text: '#c9c9c9', line: '#424242' } };
const grey = '#868e96';

const markLineOf = (
  marks: NonNullable<ChartProps['marks']>,
  categories: ChartProps['categories'],
  color: string,
) => ({
  symbol: 'none',
  lineStyle: { color: grey },
  data: marks.map(({ category, text: name }) => {
    // At the edge, half of it would be cut off.
    const align = category === categories.at(-1) ? 'right' : 'center';
    return { xAxis: category, name, label: { formatter: name, color, align, fontWeight: 600 } };
  }),
});

function optionOf(props: ChartProps, scheme: 'light' | 'dark') {
  const { label, categories, series, format, marks = [], hasNoLegend = false } = props;
  const { text, line } = inks[scheme];
  return {
    animation: false,
    aria: { enabled: true, label: { description: label } },
    textStyle: { color: text, fontFamily: 'inherit' },
    grid: {
      left: 8,
      right: 16,
      top: hasNoLegend && marks.length === 0 ? 12 : 36,
      bottom: 4,
      containLabel: true,
    },
    legend: hasNoLegend
      ? { show: false }
      : {
          top: 0,
          left: 0,
          icon: 'roundRect',
          itemHeight: 3,
          itemWidth: 18,
          itemGap: 28,
          textStyle: { color: text },
        },
    // As markup a tooltip would need texts to become elements.
    tooltip: {
      trigger: 'axis',
      renderMode: 'richText',
      valueFormatter: (value: unknown) => (typeof value === 'number' ? format(value) : '–'),
    },
    xAxis: {
      type: 'category',
      data: [...categories],
      boundaryGap: false,
      axisLine: { lineStyle: { color: line } },
      axisLabel: { color: text },
      axisTick: { show: false },
    },
    yAxis: {
      type: 'value',
      axisLabel: { color: text, formatter: format },
      splitLine: { lineStyle: { color: line } },
    },
    series: series.map(({ name, values, isBefore = false }, index) => ({
      type: 'line',
      name,
      data: [...values],
      showSymbol: values.length < 2,
      lineStyle: isBefore
        ? { type: 'dashed', width: 1.5, color: grey }
        : { width: 2, color: lineColors[index] },
      itemStyle: { color: isBefore ? grey : lineColors[index] },
      ...(index === 0 && marks.length > 0
        ? {
            markLine: markLineOf(marks, categories, text),
          }
        : {}),
    })),
  };
}

/** Lines over time. What it shows stands in a table beside it, for who can't see it. */
export function LineChart(props: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<EChartsType>(undefined);
  const scheme = useComputedColorScheme('light');
  useEffect(() => {
    if (!place.current) return undefined;
    const made = init(place.current, null, { renderer: 'svg' });
    chart.current = made;
    const watch = new ResizeObserver(() => made.resize());
    watch.observe(place.current);
    return () => {
      watch.disconnect();
      made.dispose();
    };
  }, []);
  const { onMark } = props;
  useEffect(() => {
    const pressed = (event: { componentType: string; name: string }) => {
      if (event.componentType === 'markLine') onMark?.(event.name);
    };
    const made = chart.current;
    made?.on('click', pressed);
    return () => void made?.off('click', pressed);
  });
  useEffect(() => {
    chart.current?.setOption(optionOf(props, scheme), { notMerge: true });
  });
  return <div ref={place} style={{ height: props.height ?? 260, width: '100%' }} />;
}
