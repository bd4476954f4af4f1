/** Begins to measure. The returned function gives the share of one core that this process has used since. */
export function loadShare(): () => number {
  const startMs = performance.now();
  const start = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000 / (performance.now() - startMs);
  };
}
