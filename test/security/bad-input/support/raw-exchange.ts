import net from 'node:net';
import { WAIT_TIMEOUT_MS } from '../../../support/wait-until.js';
import { type InputResponse } from './bad-input-runner.js';

/**
 * Sends bytes as they are; the answer is the first one that comes. Of a connection that is closed without a word the
 * status is 0.
 *
 * @param hangUp says that nothing more comes; who waits for an answer that takes time gets none then
 */
export function exchangeBytes(url: string, bytes: string | Buffer, hangUp = false): Promise<InputResponse> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let text = '';
    const socket = net.connect(Number(port), hostname, () =>
      hangUp ? socket.end(bytes) : socket.write(bytes),
    );
    const done = () => {
      socket.destroy();
      resolve(answerOf(text));
    };
    socket.setEncoding('utf8').setTimeout(WAIT_TIMEOUT_MS, done);
    socket.on('data', (piece: string) => (text += piece));
    // Who is told that they send too much may be cut off while they send.
    socket.on('error', () => undefined);
    socket.on('close', done);
  });
}

function answerOf(text: string): InputResponse {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [line = '', ...fields] = head.split('\r\n');
  const headers = Object.fromEntries(
    fields.map((field) => {
      const [name = '', ...value] = field.split(':');
      return [name.toLowerCase(), value.join(':').trim()] as const;
    }),
  );
  const body = Buffer.from(rest.join('\r\n\r\n'));
  const length = Number(headers['content-length'] ?? body.length);
  return { status: Number(line.split(' ')[1] ?? 0), headers, text: body.subarray(0, length).toString() };
}
