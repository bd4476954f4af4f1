import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { parse } from 'yaml';
import { neededTool, skipWithout } from '../support/debian-tools.ts';
import { startTestServer } from '../support/server.ts';
import { type AlertCase, alertCases } from './alert-cases.ts';

const root = dirname(dirname(import.meta.dirname));
const rulesFile = join(root, 'deploy/prometheus/alerts.yml');
const read = (name: string) => readFileSync(join(root, name), 'utf8');

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}
interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string }[];
}

const rules: readonly Rule[] = parse(readFileSync(rulesFile, 'utf8')).groups[0].rules;
const dashboard = JSON.parse(read('deploy/grafana/bourse.json')) as { readonly panels: readonly Panel[] };
const asked = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

const folder = mkdtempSync(join(tmpdir(), 'bourse-watching-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Runs promtool on a file with that content; answers what it says where it fails. */
function promtool(args: readonly string[], name: string, content: object): string {
  const file = join(folder, name);
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(content));
  const { status, stdout, stderr } = spawnSync(neededTool('promtool'), [...args, file], { encoding: 'utf8' });
  return status === 0 ? '' : `${stdout}${stderr}`;
}

/** What promtool is to try of an alert. */
const testsOf = ({ alert, minutes, fires, quiet }: AlertCase) =>
  [fires, quiet].map((series, index) => ({
    name: `${alert} ${index === 0 ? 'fires' : 'stays quiet'}`,
    interval: '1m',
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    promql_expr_test: [
      {
        expr: `count(ALERTS{alertname="${alert}",alertstate="firing"})`,
        eval_time: `${minutes}m`,
        exp_samples: index === 0 ? [{ labels: '{}', value: 1 }] : [],
      },
    ],
  }));

/** Served only with a setting, and by which file. */
const served = {
  'src/analytics/keep-singly.ts': [
    'bourse_outbox_bytes',
    'bourse_facts_dropped_total',
    'bourse_facts_set_aside_total',
  ],
  'src/database-clock.ts': ['bourse_clock_offset_seconds'],
  'src/quotas/leasing.ts': ['bourse_limit_authority_up', 'bourse_limit_turn_seconds', 'bourse_limits_held'],
  'src/serving/shared-cache.ts': ['bourse_valkey_up', 'bourse_valkey_failures_total'],
};
/** What nobody need look at, and why. */
const unused = new Map<string, string>([
  [
    'bourse_country_database_built_seconds',
    'how old it is; countries move slowly, and *Server* in the console says it',
  ],
  [
    'bourse_rates_published_seconds',
    'of which day the rates are; the alert CurrencyRefused tells if they are too old',
  ],
  ['bourse_vendor_list_version', 'which list is known; the log says if there is none'],
]);

const metricNames = (text: string) =>
  [...text.matchAll(/\b(?:bourse|process)_\w+/g)].map(([name]) => name.replace(/_(bucket|count|sum)$/, ''));

describe('deploy/grafana and deploy/prometheus', () => {
  let real = new Set<string>();
  before(async () => {
    const server = await startTestServer();
    const text = await (await fetch(`${server.url}/metrics`)).text();
    await server.close();
    real = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name));
    for (const [file, names] of Object.entries(served)) {
      for (const name of names) assert.ok(read(file).includes(`'${name}'`), `${file} has no ${name}`);
      for (const name of names) real.add(name);
    }
  });

  test('ask for metrics that a server serves, and leave none out without a reason', () => {
    const used = new Set(metricNames([...asked, ...rules.map(({ expr }) => expr)].join('\n')));
    assert.deepEqual(
      [...used].filter((name) => !real.has(name)),
      [],
    );
    assert.deepEqual(
      [...real].filter((name) => !used.has(name) && !unused.has(name)),
      [],
    );
    const shown = new Set(metricNames(asked.join('\n')));
    assert.deepEqual(
      [...real].filter((name) => !shown.has(name) && !unused.has(name)),
      [],
      'no panel',
    );
  });

  test('every alert says what is wrong, and what to do, in one sentence', () => {
    for (const { alert, labels, annotations } of rules) {
      assert.match(labels.severity ?? '', /^(critical|warning)$/, alert);
      assert.ok((annotations.summary ?? '').length > 20, alert);
      assert.match(annotations.action ?? '', /^[A-Z].{20,}\.$/, alert);
    }
  });

  test('the dashboard explains its panels, none of which covers another one', () => {
    const places = new Set<string>();
    for (const { id, type, title, description = '', gridPos } of dashboard.panels) {
      if (type !== 'row') assert.match(description, /^[A-Z].*\.$/, title);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          assert.ok(x < 24 && !places.has(`${x}:${y}`), `${id} ${title}`);
          places.add(`${x}:${y}`);
        }
      }
    }
    assert.equal(new Set(dashboard.panels.map(({ id }) => id)).size, dashboard.panels.length);
  });

  const skip = skipWithout('promtool');
  test('Prometheus reads the configuration, the rules and what the dashboard asks', { skip }, () => {
    const check = spawnSync(neededTool('promtool'), ['check', 'config', 'deploy/prometheus/prometheus.yml'], {
      cwd: root,
      encoding: 'utf8',
    });
    assert.equal(check.status, 0, check.stdout + check.stderr);
    const filled = asked.map((expr) =>
      expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*').replaceAll('$job', 'bourse'),
    );
    const recorded = filled.map((expr, index) => ({ record: `panel:${index}`, expr }));
    assert.equal(
      promtool(['check', 'rules'], 'panels.json', { groups: [{ name: 'panels', rules: recorded }] }),
      '',
    );
  });

  test('each alert fires by what it is for, and by nothing less', { skip }, () => {
    assert.deepEqual(
      rules.map(({ alert }) => alert).filter((name) => !alertCases.some(({ alert }) => alert === name)),
      [],
    );
    for (const [interval, isLong] of [
      ['1m', false],
      ['10m', true],
    ] as const) {
      const cases = alertCases.filter(({ minutes }) => minutes > 600 === isLong);
      const content = {
        rule_files: [rulesFile],
        evaluation_interval: interval,
        tests: cases.flatMap(testsOf),
      };
      assert.equal(promtool(['test', 'rules'], `tests-${interval}.json`, content), '');
    }
  });
});
