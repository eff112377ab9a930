import type { IncomingMessage, ServerResponse } from 'node:http';

/** Bytes that are read and discarded after a request is rejected, so that the client gets to read the response. */
const DISCARDED_BYTES = 4 * 1024 * 1024;
/** The same for a caller who sends too many requests: a usual body, so that the connection can be used again. */
const DISCARDED_BYTES_OF_TOO_MANY = 64 * 1024;
/** Time to discard these bytes, as a number of timer steps. A pause of the machine counts as one step only. */
const LINGER_STEPS = 20;
const LINGER_STEP_MS = 100;

type PaidRequest = IncomingMessage & {
  readonly state?: { readonly bytePrice?: { addRead(bytes: number): void } };
};

/**
 * Reads and discards further bytes of a body, up to `bytes` and two seconds; the caller pays for them. If they stayed in
 * the socket, the client might never read the response; if the connection were closed at once, the response might be
 * lost. After these limits the connection is closed.
 *
 * @param stepMs shorter in tests
 */
export function discardRest(
  request: PaidRequest,
  { bytes = DISCARDED_BYTES, stepMs = LINGER_STEP_MS } = {},
): void {
  if (request.complete || request.destroyed) {
    request.resume();
    return;
  }
  let left = bytes;
  const timer = afterLingering(() => {
    if (!request.complete) request.destroy();
  }, stepMs);
  request.once('close', () => clearInterval(timer));
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    request.state?.bytePrice?.addRead(chunk.length);
    if (left < 0) request.pause();
  });
  request.resume();
}

function afterLingering(action: () => void, stepMs = LINGER_STEP_MS): NodeJS.Timeout {
  let steps = LINGER_STEPS;
  const timer = setInterval(() => {
    steps -= 1;
    if (steps > 0) return;
    clearInterval(timer);
    action();
  }, stepMs);
  return timer.unref();
}

/**
 * Call it before the head of the response is written. Without it, Node reads the whole body of a request that is
 * answered without it, of any size and for nothing: a refused one, or one of an operation without a body.
 */
export function limitUnreadBody(request: IncomingMessage, response: ServerResponse, status: number): void {
  const { headers, socket } = request;
  // `readableFlowing` is null until the body is read.
  if (request.complete || request.readableFlowing !== null) return;
  const length = headers['content-length'];
  if (length === undefined && headers['transfer-encoding'] === undefined) return;
  const bytes = status === 429 || status === 503 ? DISCARDED_BYTES_OF_TOO_MANY : DISCARDED_BYTES;
  if (Number(length) > bytes) {
    response.shouldKeepAlive = false;
    // Node would close the connection as soon as the response is sent, which would reset it while the client still sends.
    socket.destroySoon = () => {
      socket.end();
      afterLingering(() => socket.destroy());
    };
  }
  discardRest(request, { bytes });
}
