import { type ParameterObject } from '@nestjs/swagger';
import { OpenApiDocument } from '../../../../src/platform/documentation/openapi-document.js';
import { type Actor } from '../../../support/actor.js';
import { type TenantOperation, tenantOperations } from '../../../security/support/tenant-operations.js';
import { type Slot } from '../../../security/support/identifier-slot.js';
import { SECRETS } from './secrets.js';

export interface Reading {
  readonly operation: string;
  readonly path: string;
  readonly status: number;
  /** Header fields and body. */
  readonly text: string;
  readonly items: readonly object[];
}

/** Operations that read, but are no GET. */
const SEARCHES = { SearchDocuments: '/documents/search' } as const;

/**
 * Sends every GET of the route table with each combination of the ids, with every word of {@link SECRETS} where it takes a
 * `q`, and with pages of 200 items. A new operation is included automatically.
 *
 * @param ids by name of the resource, as in a populated tenant
 */
export async function readEverything(
  actor: Actor,
  ids: Readonly<Record<string, readonly string[]>>,
): Promise<Reading[]> {
  const { service, slug } = actor.tenant;
  const base = `/api/v1/t/${slug}`;
  const readings: Reading[] = [];
  const add = async (operation: string, path: string, request: ReturnType<Actor['get']>) => {
    const response = await request;
    const body = response.body as { items?: object[]; nextCursor?: string | null };
    if (operation !== 'ListEvents' && typeof body.nextCursor === 'string')
      throw new Error(`${path} has more than one page`);
    const text = `${JSON.stringify(response.headers)} ${textOf(response)}`;
    readings.push({ operation, path, status: response.status, text, items: body.items ?? [] });
  };
  for (const operation of tenantOperations(service).filter(({ method }) => method === 'GET')) {
    for (const path of pathsOf(operation, slug, ids)) {
      for (const query of queriesOf(actor, operation)) {
        const whole = `${path.slice(base.length)}${query && `${path.includes('?') ? '&' : '?'}${query}`}`;
        await add(operation.name, whole, actor.get(whole));
      }
    }
  }
  for (const [operation, path] of Object.entries(SEARCHES))
    for (const q of Object.values(SECRETS)) await add(operation, `${path} ${q}`, actor.post(path, { q }));
  return readings;
}

function textOf({ text, body }: { text?: string; body: unknown }): string {
  if (text) return text;
  return Buffer.isBuffer(body) ? body.toString() : JSON.stringify(body);
}

function pathsOf(
  { templates, filterTemplates }: TenantOperation,
  slug: string,
  ids: Readonly<Record<string, readonly string[]>>,
): string[] {
  return [...templates, ...filterTemplates].flatMap(({ slots, build }) =>
    combinations(slots, ids).map((chosen) => build(slug, (slot) => chosen.get(slot) ?? '').path),
  );
}

function combinations(
  [slot, ...rest]: readonly Slot[],
  ids: Readonly<Record<string, readonly string[]>>,
): Map<Slot, string>[] {
  if (!slot) return [new Map<Slot, string>()];
  const values = ids[slot.resource];
  if (!values) throw new Error(`No id of a ${slot.resource}`);
  return combinations(rest, ids).flatMap((others) =>
    values.map((value) => new Map([...others, [slot, value]])),
  );
}

function queriesOf({ tenant }: Actor, { name }: TenantOperation): string[] {
  const paths = tenant.service.app.get(OpenApiDocument).document.paths;
  const described = Object.values(paths).find(({ get }) => get?.operationId === name)?.get;
  const parameters = (described?.parameters ?? []) as ParameterObject[];
  const named = (wanted: string) => parameters.find((parameter) => parameter.name === wanted);
  const maximum = (named('limit')?.schema as { maximum?: number } | undefined)?.maximum;
  const limit = maximum === undefined ? '' : `limit=${maximum}`;
  const queries = [limit];
  if (named('q')) for (const word of Object.values(SECRETS)) queries.push(`${limit}&q=${word}`);
  if (named('status')?.schema && name === 'ListDocuments') queries.push(`${limit}&status=Deleted`);
  return queries;
}
