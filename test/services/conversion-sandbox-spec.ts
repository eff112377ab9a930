import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type Server, createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import path from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { findConverter } from '../../src/platform/extraction/conversion/find-converter.js';
import { LibreOffice } from '../../src/platform/extraction/conversion/libreoffice.js';
import { type Sandbox, sandboxesFor } from '../../src/platform/extraction/conversion/sandbox.js';
import { buildFlatOpenDocument } from '../factories/content/flat-open-document.js';
import { buildPicture } from '../factories/content/pictures.js';
import { shownIn } from '../support/pictures.js';
import { TestPreviews } from '../support/previews.js';
import { QUIET, SharedFolder, requestFor } from './conversions.js';

jest.setTimeout(600_000);

/** Pages whose fill, background and bullet are linked pictures. */
function buildLinking(pictures: readonly [fill: string, background: string, bullet: string]): Buffer {
  const [fill, background, bullet] = pictures.map(
    (address) => `xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad" xlink:href="${address}"`,
  );
  const styles = `<draw:fill-image draw:name="picture" ${fill}/>`;
  const automaticStyles = `
    <style:style style:name="fill" style:family="graphic"><style:graphic-properties draw:fill="bitmap" draw:fill-image-name="picture" style:repeat="stretch" draw:stroke="none"/></style:style>
    <style:style style:name="background" style:family="paragraph"><style:paragraph-properties fo:break-before="page"><style:background-image style:repeat="stretch" ${background}/></style:paragraph-properties></style:style>
    <text:list-style style:name="bullet"><text:list-level-style-image text:level="1" ${bullet}><style:list-level-properties fo:width="16cm" fo:height="11cm"/></text:list-level-style-image></text:list-style>`;
  const body = `
    <text:p><draw:rect draw:style-name="fill" text:anchor-type="as-char" svg:width="16cm" svg:height="11cm"/></text:p>
    <text:p text:style-name="background">${'a<text:line-break/>'.repeat(40)}</text:p>
    <text:list text:style-name="bullet"><text:list-item><text:p text:style-name="break">a</text:p></text:list-item></text:list>`;
  return buildFlatOpenDocument({ kind: 'text', body, styles, automaticStyles });
}

describe('The sandbox of LibreOffice', () => {
  let folder: SharedFolder;
  let program: string;
  let previews: TestPreviews;
  let server: Server;
  let requests: number;
  beforeAll(async () => {
    folder = await SharedFolder.create();
    previews = new TestPreviews();
    const found = await findConverter({ converter: 'libreoffice', environment: 'test' }, process.env, QUIET);
    if (!found) throw new Error('No converter.');
    program = found.program;
    server = createServer((_, response) => response.end());
    server.on('connection', () => (requests += 1));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(async () => {
    server.close();
    previews.stop();
    await folder.remove();
  });
  /** The pages on which a picture in a readable file is shown, and the requests to a server of this machine. */
  async function leaksOf(sandbox: Sandbox | null): Promise<{ pages: number[]; requests: number }> {
    requests = 0;
    const converter = new LibreOffice(program, sandbox);
    const file = path.join(folder.path, 'secret.png');
    await writeFile(file, buildPicture('png', 400, 400), { mode: 0o644 });
    const convert = async (bytes: Buffer): Promise<Buffer> => {
      const { result } = await converter.convert(requestFor(bytes), buffer);
      if (!result) throw new Error('No PDF.');
      return result;
    };
    const pdf = await convert(buildLinking([`file://${file}`, `file://${file}`, `file://${file}`]));
    const pages: number[] = [];
    for (const page of [1, 2, 3]) {
      const { quarters } = await shownIn(await previews.picture(pdf, { page }));
      if (quarters.includes('red')) pages.push(page);
    }
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await convert(buildLinking([`${address}/1.png`, `${address}/2.png`, `${address}/3.png`]));
    return { pages, requests };
  }

  async function sandboxes(of = program): Promise<Sandbox[]> {
    const forRoot = await sandboxesFor(of);
    // As if the service had an ordinary user.
    const spy = jest.spyOn(process, 'getuid').mockReturnValue(1000);
    const forOthers = await sandboxesFor(of);
    spy.mockRestore();
    return [...forRoot, ...forOthers];
  }

  /** What a program prints that runs in each sandbox instead of LibreOffice. */
  async function printedBy(script: string): Promise<(string | null)[]> {
    const other = await folder.writeProgram(`exec >out/in.pdf 2>/dev/null\n${script}`);
    const printed: (string | null)[] = [];
    for (const sandbox of await sandboxes(other)) {
      const converter = new LibreOffice(other, sandbox);
      printed.push((await converter.convert(requestFor(Buffer.from('a')), text)).result);
    }
    expect(printed.length).toBeGreaterThan(0);
    return printed;
  }

  it('is needed, because LibreOffice reads linked pictures', async () => {
    const leaks = await leaksOf(null);
    expect(leaks.pages).toEqual([1, 2, 3]);
    expect(leaks.requests).toBeGreaterThan(0);
  });

  it('hides other files and other machines from LibreOffice', async () => {
    for (const sandbox of await sandboxes())
      expect(await leaksOf(sandbox)).toEqual({ pages: [], requests: 0 });
  });

  it('shows only files of the system', async () => {
    const files = `${fileURLToPath(import.meta.url)} /etc/passwd /home /proc /root /run /sys /usr/bin/true`;
    for (const printed of await printedBy(`ls -d ${files}`)) expect(printed).toBe('/usr/bin/true\n');
  });

  it('cannot be changed by the program', async () => {
    const script = 'umount /usr/bin && echo unmounted; mount -t tmpfs none /tmp && echo mounted; echo end';
    for (const printed of await printedBy(script)) expect(printed).toBe('end\n');
  });

  it('keeps no files', async () => {
    const script = 'ls /tmp | grep -c "^kept"; touch /tmp/kept';
    for (let file = 0; file < 2; file += 1)
      for (const printed of await printedBy(script)) expect(printed).toBe('0\n');
  });
});
