import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

type Severity = 'none' | 'info' | 'low' | 'moderate' | 'high' | 'critical';

/** What `npm audit` reports; without `metadata` the registry has not answered. */
interface Report {
  readonly message?: string;
  readonly metadata?: { readonly vulnerabilities: { readonly high: number; readonly critical: number } };
  readonly vulnerabilities?: Readonly<
    Record<string, { readonly severity: Severity; readonly nodes: readonly string[] }>
  >;
}

/** What a registry said of the packages that are shipped, kept for where none answers. */
interface Advisories {
  /** The day of the answer, `YYYY-MM-DD`; "" = there was none yet. */
  readonly asOf: string;
  /** The worst that is known of each `name@version`. */
  readonly packages: Readonly<Record<string, Severity>>;
}

interface Locked {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly dev?: boolean }>>;
}

const registryWaitMsMax = 60_000;
const advisoriesFile = process.env.BOURSE_ADVISORIES ?? new URL('advisories.json', import.meta.url).pathname;
const bad: readonly Severity[] = ['high', 'critical'];

function npmAudit(): Promise<string> {
  const args = ['audit', '--omit=dev', '--json', '--fetch-retries=0'];
  const shell = process.platform === 'win32';
  return new Promise((resolve) => {
    // It ends with 1 when it has found something: what it prints tells.
    execFile('npm', args, { timeout: registryWaitMsMax, maxBuffer: 2 ** 26, shell }, (_error, stdout) =>
      resolve(stdout),
    );
  });
}

function parsed(text: string): Report {
  try {
    return JSON.parse(text) as Report;
  } catch {
    return { message: 'npm audit printed no report' };
  }
}

/** The packages that are shipped, by their places in `node_modules`. */
function shippedPackages(): ReadonlyMap<string, string> {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Locked;
  const rows = Object.entries(packages).flatMap(([path, { version, dev }]) =>
    path === '' || dev || version === undefined
      ? []
      : [[path, `${path.split('node_modules/').at(-1)}@${version}`] as const],
  );
  return new Map(rows);
}

function keepAnswer({ vulnerabilities = {} }: Report): void {
  const severities = new Map(
    Object.values(vulnerabilities).flatMap(({ severity, nodes }) =>
      nodes.map((node) => [node, severity] as const),
    ),
  );
  const rows = [...shippedPackages()].map(([path, name]) => [name, severities.get(path) ?? 'none'] as const);
  const packages = Object.fromEntries(rows.toSorted(([one], [other]) => (one < other ? -1 : 1)));
  const kept: Advisories = { asOf: new Date().toISOString().slice(0, 10), packages };
  writeFileSync(advisoriesFile, `${JSON.stringify(kept, undefined, 2)}\n`);
  console.log(`Kept in ${advisoriesFile}`);
}

/** Judges by the answer that was kept; what that knows nothing of is not judged, and named. */
function judgeByKept(reason: string): void {
  const { asOf, packages } = JSON.parse(readFileSync(advisoriesFile, 'utf8')) as Advisories;
  const known = new Map(Object.entries(packages));
  const names = [...new Set(shippedPackages().values())];
  const found = names.filter((name) => bad.includes(known.get(name) ?? 'none'));
  const unknown = names.filter((name) => !known.has(name));
  const source = asOf === '' ? 'no answer of a registry was kept yet' : `the answer of ${asOf} counts`;
  console.log(`The registry does not answer (${reason}); ${source}`);
  console.log(
    unknown.length === 0
      ? `Dependencies audited as of ${asOf}: ${found.length} with critical or high vulnerabilities`
      : `NOT JUDGED: ${unknown.length} of ${names.length} shipped packages: ${unknown.join(', ')}`,
  );
  if (found.length === 0) return;
  console.error(`Critical or high vulnerabilities: ${found.join(', ')}`);
  process.exitCode = 1;
}

const report = parsed(await npmAudit());
if (!report.metadata) {
  if (process.argv.includes('--keep')) {
    console.error('The registry does not answer, so there is nothing to keep.');
    process.exitCode = 1;
  }
  judgeByKept(report.message ?? 'no reason given');
} else {
  const { high, critical } = report.metadata.vulnerabilities;
  console.log(`Dependencies audited: ${critical} critical and ${high} high vulnerabilities`);
  if (process.argv.includes('--keep')) keepAnswer(report);
  if (high + critical > 0) {
    console.error('Run `npm audit --omit=dev` for the list.');
    process.exitCode = 1;
  }
}
