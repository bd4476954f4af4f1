const [width, height] = [72, 20];

/** A small line of figures, the newest last; only its shape says something. */
export function Trend({ values, label }: { readonly values: readonly number[]; readonly label: string }) {
  const greatest = Math.max(...values, 1);
  const step = width / Math.max(values.length - 1, 1);
  const points = values.map(
    (value, index) =>
      `${(index * step).toFixed(1)},${(height - 1 - (value / greatest) * (height - 2)).toFixed(1)}`,
  );
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      <polyline
        points={points.join(' ')}
        fill="none"
        stroke="currentColor"
        strokeWidth={1.5}
        strokeLinejoin="round"
      />
    </svg>
  );
}
