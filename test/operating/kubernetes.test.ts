import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import type { StatefulSet } from 'kubernetes-types/apps/v1.d.ts';
import type { ConfigMap, Service } from 'kubernetes-types/core/v1.d.ts';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts';
import ts from 'typescript';
import { parseAllDocuments } from 'yaml';
import { readConfig } from '../../src/config.ts';

const root = dirname(dirname(import.meta.dirname));
const file = 'deploy/kubernetes/bourse.yaml';

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

const manifests: readonly Manifest[] = parseAllDocuments(readFileSync(join(root, file), 'utf8')).map(
  (document) => document.toJS(),
);
const find = <Kind extends object>(kind: string, name = 'bourse') =>
  (manifests.find((one) => one.kind === kind && one.metadata.name === name) ??
    assert.fail(kind)) as Manifest & Kind;

/** What the compiler says of manifests, each against the type that Kubernetes' OpenAPI document gives its kind. */
function faultsOf(all: readonly Manifest[]): string[] {
  const lines = all.map(
    ({ apiVersion, kind, ...rest }, index) =>
      `export const _${index}: import('kubernetes-types/${apiVersion.includes('/') ? apiVersion : `core/${apiVersion}`}').${kind} = ${JSON.stringify({ apiVersion, kind, ...rest })};`,
  );
  const path = join(root, 'test/operating/manifests.ts');
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    lib: ['lib.es2022.d.ts'],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === path || fileExists(name);
  host.getSourceFile = (name, ...more) =>
    name === path
      ? ts.createSourceFile(name, lines.join('\n'), ts.ScriptTarget.ES2022)
      : getSourceFile(name, ...more);
  const program = ts.createProgram([path], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

describe(file, () => {
  const { spec: set } = find<StatefulSet>('StatefulSet');
  const pod = set?.template.spec ?? assert.fail('no pod');
  const container = pod.containers[0] ?? assert.fail('no container');
  const settings = find<ConfigMap>('ConfigMap').data ?? {};

  test('has the form of Kubernetes', () => {
    assert.deepEqual(faultsOf(manifests), []);
    // A check that finds nothing wrong must be able to.
    const misspelt = { ...find<StatefulSet>('StatefulSet'), spec: { ...set, replicaz: 2 } };
    assert.match(faultsOf([misspelt]).join(), /replicaz/);
  });

  test('has settings that the program takes', () => {
    const env = { ...settings, BOURSE_DATABASE_URL: 'postgres://bourse:secret@database.internal/bourse' };
    assert.deepEqual(readConfig(env).warnings, []);
  });

  test('gives a pod that stops the time that it needs', () => {
    const drain = Number(settings.BOURSE_DRAIN_SECONDS);
    assert.ok(drain > 0 && Number(pod.terminationGracePeriodSeconds) >= drain + 30);
    assert.equal(find<PodDisruptionBudget>('PodDisruptionBudget').spec?.maxUnavailable, 1);
    assert.ok(Number(set?.replicas) > 1);
  });

  test('asks paths that are served, at the port of the program', () => {
    const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe];
    assert.deepEqual(
      probes.map((probe) => [probe?.httpGet?.path, probe?.httpGet?.port]),
      Array(3).fill(['/healthz', 'http']),
    );
    const { config } = readConfig(settings);
    assert.deepEqual(container.ports, [{ name: 'http', containerPort: config.port }]);
  });

  test('its parts find each other by their labels', () => {
    const labels = set?.template.metadata?.labels;
    for (const selector of [
      set?.selector.matchLabels,
      find<Service>('Service').spec?.selector,
      find<Service>('Service', set?.serviceName).spec?.selector,
      find<PodDisruptionBudget>('PodDisruptionBudget').spec?.selector?.matchLabels,
    ]) {
      assert.deepEqual(selector, labels);
    }
  });

  test('runs as nobody in particular, and writes only where it must', () => {
    assert.deepEqual(container.securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    assert.equal(pod.securityContext?.runAsNonRoot, true);
    const written = container.volumeMounts?.map(({ mountPath }) => mountPath);
    assert.deepEqual(written, ['/data', '/tmp']);
    assert.ok(String(settings.BOURSE_OUTBOX).startsWith('/data/'));
    const claimed = set?.volumeClaimTemplates?.[0]?.spec?.resources?.requests?.storage;
    assert.ok(Number(settings.BOURSE_OUTBOX_MB) < Number.parseInt(String(claimed), 10) * 1024);
  });
});
