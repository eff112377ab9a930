import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Replicas } from '../../../src/platform/database/replicas/replicas.js';
import { Metrics } from '../../../src/platform/http/server/metrics.js';
import { MetricsListener } from '../../../src/platform/http/server/metrics-listener.js';
import { upload } from '../../factories/documents.js';
import { waitFor } from '../../support/wait-until.js';
import { waitUntilProcessed } from '../../support/wait-until-processed.js';
import { TestService } from '../../support/service/service.js';

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

interface Dashboard {
  readonly templating: { readonly list: readonly { name: string; query: string | { query: string } }[] };
  readonly panels: readonly Panel[];
}

const PROMQL_KEYWORDS = new Set(['and', 'or', 'unless', 'bool']);
const PROMETHEUS_LABELS = new Set(['job', 'instance']);

/** Metrics of an expression, each with the labels that it uses. */
function uses(expression: string): { name: string; labels: string[] }[] {
  const grouped = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels = '']) =>
    labels.split(','),
  );
  const found: { name: string; labels: string[] }[] = [];
  const bare = expression.replace(/\bby \([^)]*\)/g, '').replace(/\[[^\]]*\]/g, '');
  for (const [, name = '', , matchers = ''] of bare.matchAll(
    /\b([a-z_][a-z0-9_]*)\b(?!\s*\()(\{([^}]*)\})?(?=[^"]*(?:"[^"]*"[^"]*)*$)/g,
  )) {
    if (PROMQL_KEYWORDS.has(name)) continue;
    const matched = [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label);
    found.push({ name, labels: [...grouped, ...matched].map((label) => label.trim()).filter(Boolean) });
  }
  return found;
}

describe('The Grafana dashboard', () => {
  let service: TestService;
  /** All labels by name of the sample in `/metrics`. */
  const samples = new Map<string, Set<string>>();
  let dashboard: Dashboard;

  beforeAll(async () => {
    const file = new URL('../../../docs/operations/grafana-dashboard.json', import.meta.url);
    dashboard = JSON.parse(await readFile(file, 'utf8')) as Dashboard;
    service = await TestService.start({ RATE_LIMIT_PER_MINUTE: '1', RATE_LIMIT_BURST: '2' });
    // Some metrics have samples only after an event, such as a job or a 429.
    const tenant = await service.tenant();
    const admin = await tenant.as('administrator');
    const content = { bytes: 'x', fileName: 'x.txt', mediaType: 'text/plain' };
    const uploaded = await upload(admin, { title: 'x' }, content).expect(201);
    await waitUntilProcessed(tenant, (uploaded.body as { id: string }).id);
    // Until the rate limit is reached; on a slow machine new requests become available meanwhile.
    for (let status = 200; status !== 429;) ({ status } = await admin.get('/files'));
    const listener = new MetricsListener(service.app.get(Metrics).registry);
    await listener.listen('127.0.0.1', 0);
    const text = await waitFor(async () => {
      // Enough objects to cause a garbage collection, whose metric appears after the first one.
      Array.from({ length: 1_000_000 }, () => ({}));
      const scraped = await (await fetch(`http://127.0.0.1:${listener.port}/metrics`)).text();
      return scraped.includes('nodejs_gc_duration_seconds_sum') && scraped;
    }, 'The metric of a garbage collection');
    await listener.close();
    for (const [, name = '', labels = ''] of text.matchAll(/^([a-z_][a-z0-9_]*)(?:\{(.*)\})? /gm)) {
      const known = samples.get(name) ?? new Set();
      for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) known.add(label);
      samples.set(name, known);
    }
  });

  afterAll(() => service.stop());

  const queries = () => [
    ...dashboard.panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }) => [title, expr] as const),
    ),
    ...dashboard.templating.list.flatMap(({ name, query }) => {
      if (typeof query === 'string') return [];
      const [, expr = '', label = ''] = /^label_values\((.*), (\w+)\)$/.exec(query.query) ?? [];
      return [[name, `sum by (${label}) (${expr})`] as const];
    }),
  ];

  it('uses only metrics and labels that a service has', () => {
    expect(samples.size).toBeGreaterThan(30);
    const missing = queries().flatMap(([title, expression]) => {
      const found = uses(expression);
      if (found.length === 0) return [`${title}: nothing is asked for in ${expression}`];
      return found.flatMap(({ name, labels }) => {
        const known = samples.get(name);
        if (!known) return [`${title}: ${name}`];
        return labels
          .filter((label) => !known.has(label) && !PROMETHEUS_LABELS.has(label))
          .map((label) => `${title}: ${name} by ${label}`);
      });
    });
    expect(missing).toEqual([]);
  });

  it('uses only grouped labels in legends', () => {
    for (const { targets = [] } of dashboard.panels) {
      for (const { expr, legendFormat } of targets) {
        for (const [, label = ''] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
          expect(expr).toMatch(new RegExp(`by \\([^)]*\\b${label}\\b`));
      }
    }
  });

  it('shows requests, latency, 429, the pool and the queue', () => {
    const asked = new Set(queries().flatMap(([, expression]) => uses(expression).map(({ name }) => name)));
    expect([...asked]).toEqual(
      expect.arrayContaining([
        'http_request_duration_seconds_count',
        'http_request_duration_seconds_bucket',
        'http_rate_limited_total',
        'http_requests_in_flight',
        'database_pool_connections',
        'database_pool_idle',
        'database_pool_waiting',
        'jobs_waiting',
        'jobs_running',
        'job_duration_seconds_count',
      ]),
    );
  });

  it('has panels with unique ids and positions', () => {
    const { panels } = dashboard;
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) => {
      expect(x + w).toBeLessThanOrEqual(24);
      return Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`);
    });
    expect(new Set(cells).size).toBe(cells.length);
  });

  it('docs/observability.md lists all metrics of the service', async () => {
    const text = await readFile(new URL('../../../docs/observability.md', import.meta.url), 'utf8');
    const [, after = ''] = text.split('\n## Metrics\n');
    const [table = ''] = after.split('\n## ');
    const documented = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
    const registered = service.app.get(Metrics).registry.getMetricsAsArray();
    // Registered only with DATABASE_REPLICA_URLS.
    const ofReplicas = service.app.get(Replicas).metrics.all;
    const own = [...registered, ...(ofReplicas as readonly unknown[] as typeof registered)]
      .map(({ name }) => name)
      .filter((name) => !/^(process|nodejs)_/.test(name));
    expect(documented.sort()).toEqual(own.sort());
  });

  it('is parsed correctly by this spec', () => {
    expect(uses('sum by (a, b) (rate(x_total{c="d", e=~"f(g)"}[5m])) / max (y)')).toEqual([
      { name: 'x_total', labels: ['a', 'b', 'c', 'e'] },
      { name: 'y', labels: ['a', 'b'] },
    ]);
  });
});
