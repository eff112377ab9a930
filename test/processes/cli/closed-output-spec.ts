import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestExtraction } from '../../support/extraction.js';
import { ServiceProcess } from '../../support/service/service-process.js';
import { TestService } from '../../support/service/service.js';

describe('Closing the standard output', () => {
  let files: TestExtraction;
  let service: TestService;
  beforeAll(async () => {
    files = await TestExtraction.start();
    service = await TestService.shared();
  });
  afterAll(() => files.stop());

  it('ends a command without an error', async () => {
    const names = ['a', 'b', 'c', 'd'];
    const paths = await Promise.all(names.map((name) => files.write('Ein Satz.', `${name}.txt`)));
    const extract = new ServiceProcess({}, { entry: 'tools/cli/extract', args: paths });
    await extract.waitForOutput(/\n/);
    extract.closeOutput();
    expect(await extract.exit).toBe(0);
    expect(extract.errors).toBe('');
  });

  it.each(['json', 'pretty'])('does not stop a service with the log format %s', async (format) => {
    const settings = { PORT: '0', LOG_LEVEL: 'info', LOG_FORMAT: format };
    const started = new ServiceProcess({ ...service.environment, ...settings });
    const url = await started.url();
    started.closeOutput();
    // Each request writes a log line.
    for (let count = 0; count < 3; count += 1) expect((await fetch(`${url}/nowhere`)).status).toBe(404);
    expect((await fetch(`${url}/livez`)).status).toBe(200);
    started.signal('SIGTERM');
    expect(await started.exit).toBe(0);
    expect(started.errors).toBe('');
  });
});
