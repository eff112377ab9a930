import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EmbeddedPostgresFixture } from '../embedded/embedded-postgres-fixture.js';
import { ServiceProcess } from '../../support/service/service-process.js';

/** A pg_dump of an earlier PostgreSQL: creates its file, then reports the version. */
const OLD_PG_DUMP = `#!/bin/sh
for argument; do case $argument in --file=*) : > "\${argument#--file=}" ;; esac; done
echo 'pg_dump: error: aborting because of server version mismatch' >&2
exit 1
`;

describe('npm run backup on the embedded database', () => {
  let folder: string;
  const fixture = new EmbeddedPostgresFixture();
  beforeAll(async () => {
    folder = await fixture.folder();
    await fixture.start(path.join(folder, 'data'));
  });
  afterAll(() => fixture.clear());

  it('says what to do when pg_dump is too old, and leaves no file', async () => {
    const programs = path.join(folder, 'programs');
    await mkdir(programs);
    await writeFile(path.join(programs, 'pg_dump'), OLD_PG_DUMP, { mode: 0o755 });
    const backup = path.join(folder, 'backup');
    const environment = { DATA_DIR: path.join(folder, 'data'), PATH: `${programs}:${process.env.PATH}` };
    const { code, errors } = await ServiceProcess.run(environment, 'tools/backup/backup', backup);
    expect(code).toBe(1);
    expect(errors.split('\n').slice(1)).toEqual([
      'pg_dump is older than the server. Use the version of the server or a newer one. ' +
        'To back up the embedded database, stop the service and copy the folder DATA_DIR.',
      '',
    ]);
    expect(await readdir(backup)).toEqual([]);
  });
});
