import type pg from 'pg';
import { type DataSource } from 'typeorm';

/** The pool of an initialized data source. */
export function poolOf(dataSource: DataSource): pg.Pool {
  return (dataSource.driver as unknown as { master: pg.Pool }).master;
}
