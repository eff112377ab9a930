import { type ReferenceObject, type SchemaObject } from '@nestjs/swagger';

export type Schema = SchemaObject | ReferenceObject;

/** The schemas of JSON bodies in the OpenAPI document. Implemented by OpenApiDocument. */
export abstract class BodySchemas {
  /** @returns the schema of the operation's body, and all named schemas of the document, which it can reference */
  abstract ofBody(operation: string): { schema: Schema; named: Readonly<Record<string, Schema>> };
}
