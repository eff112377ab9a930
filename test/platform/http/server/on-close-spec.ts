import { expect, it } from '@jest/globals';
import { upload } from '../../../factories/documents.js';
import { OtlpReceiver } from '../../../support/servers/otlp-receiver.js';
import { TestService } from '../../../support/service/service.js';

it('onClose keeps the listeners of a traced download below the warning limit of Node', async () => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => void warnings.push(warning);
  const receiver = await OtlpReceiver.start();
  const service = await TestService.start({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
  process.on('warning', onWarning);
  try {
    const editor = await (await service.tenant()).as('editor');
    const created = await upload(editor, { title: 'Scan' }, { bytes: 'content' }).expect(201);
    const { id } = created.body as { id: string };
    const download = await editor.get(`/documents/${id}/content`).buffer();
    expect(download.body).toEqual(Buffer.from('content'));
    expect(warnings).toEqual([]);
  } finally {
    process.off('warning', onWarning);
    await service.stop();
    await receiver.stop();
  }
});
