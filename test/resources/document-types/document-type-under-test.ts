import { expect } from '@jest/globals';
import { type Test } from 'supertest';
import { type FieldBody, buildField } from '../../factories/document-types.js';
import { type Actor } from '../../support/actor.js';
import { expectRefused } from '../../support/expect-refused.js';

export interface DocumentType {
  id: string;
  key: string;
  nameDe: string;
  nameEn: string;
  fields: FieldBody[];
  isActive: boolean;
  createdAt: string;
  updatedAt: string;
}

export const typeNames = { nameDe: 'Rechnung', nameEn: 'Invoice' };
export const amount = buildField('amount', { type: 'Money' });
export const state = buildField('state', { options: ['open', 'paid'] });
export const note = buildField('note');

export function asRemoved(field: FieldBody): FieldBody {
  return { ...field, isRemoved: true };
}

export class DocumentTypeUnderTest {
  private constructor(
    readonly manager: Actor,
    readonly created: DocumentType,
  ) {}

  static async create(manager: Actor, fields: readonly FieldBody[] = []): Promise<DocumentTypeUnderTest> {
    const response = await manager.post('/document-types', { key: 'invoice', ...typeNames, fields });
    expect(response.status).toBe(201);
    return new DocumentTypeUnderTest(manager, response.body as DocumentType);
  }

  get id(): string {
    return this.created.id;
  }

  get path(): string {
    return `/document-types/${this.id}`;
  }

  put(body: object): Test {
    return this.manager.put(this.path, body);
  }

  putFields(fields: unknown): Test {
    return this.put({ ...typeNames, fields });
  }

  /** Replaces the fields, expects success and returns the fields of the answer. */
  async updateFields(fields: unknown): Promise<FieldBody[]> {
    const response = await this.putFields(fields);
    expect(response.status).toBe(200);
    const read = await this.manager.get(this.path);
    expect([read.body, read.headers.etag]).toEqual([response.body, response.headers.etag]);
    return (response.body as DocumentType).fields;
  }

  /** Expects errors at these paths and an unchanged database. */
  expectRefused(fields: unknown, ...paths: string[]): Promise<void> {
    return expectRefused(this.manager.tenant, this.putFields(fields), 'request.invalid', paths);
  }
}
