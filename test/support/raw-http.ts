import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface RawAnswer {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
}

type Piece = string | Buffer | number | (() => Promise<unknown>);

/**
 * Sends the pieces without changes and reads the answer until the server closes the connection, which also ends the
 * sending. A number is a pause in milliseconds; a function is awaited before the next piece.
 */
export function sendRaw(url: string, pieces: string | Buffer | readonly Piece[]): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let answer = '';
    const send = async (): Promise<void> => {
      for (const piece of typeof pieces === 'string' || Buffer.isBuffer(pieces) ? [pieces] : pieces) {
        if (!socket.writable) return;
        if (typeof piece === 'number') await sleep(piece);
        else if (typeof piece === 'function') await piece();
        else socket.write(piece);
      }
    };
    const socket = net.connect(Number(port), hostname, () => void send().catch(reject));
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => (answer += chunk));
    let failure: Error | undefined;
    socket.on('error', (error) => (failure = error));
    socket.on('close', () => {
      if (answer === '' && failure) return reject(failure);
      const [headers = '', body = ''] = answer.split('\r\n\r\n', 2);
      resolve({ status: Number(headers.split(' ')[1]), headers, body });
    });
  });
}
