import net from 'node:net';
import { WAIT_TIMEOUT_MS } from '../../../support/wait-until.js';
import { type RawResponse } from '../../support/exchange.js';

/**
 * Sends bytes over a TCP connection and returns the first response. The status is 0 when the connection closes without
 * a response.
 *
 * @param endWriting closes the sending side after the bytes; the service may then close without a response
 */
export function exchangeBytes(url: string, bytes: string | Buffer, endWriting = false): Promise<RawResponse> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let text = '';
    const socket = net.connect(Number(port), hostname, () =>
      endWriting ? socket.end(bytes) : socket.write(bytes),
    );
    const done = () => {
      socket.destroy();
      resolve(answerOf(text));
    };
    socket.setEncoding('utf8').setTimeout(WAIT_TIMEOUT_MS, done);
    socket.on('data', (piece: string) => (text += piece));
    // The service may reset the connection while the test still sends.
    socket.on('error', () => undefined);
    socket.on('close', done);
  });
}

function answerOf(text: string): RawResponse {
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
