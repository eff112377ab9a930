import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** Secret keys in the database, which all instances use. */
@Injectable()
export class ServiceSecretsReader {
  constructor(private readonly dataSource: DataSource) {}

  async get(name: string): Promise<Buffer> {
    const [secret] = await this.dataSource.query<{ value: Buffer }[]>(
      'SELECT value FROM service_secrets WHERE name = $1',
      [name],
    );
    if (!secret) throw new Error(`The database has no secret ${name}`);
    return secret.value;
  }
}
