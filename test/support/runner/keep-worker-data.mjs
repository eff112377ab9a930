/**
 * Stores the data that jest-light-runner sends to a worker until the worker requests it. The runner sends the data to all
 * workers when one requests it. A worker without a listener would lose it and wait forever (jest-light-runner 0.7.13).
 */
const REQUEST = 'jest-light-runner-get-worker-data';
const ANSWER = 'jest-light-runner-worker-data';

if (process.send && process.env.TINYPOOL_WORKER_ID) {
  const { emit, send } = process;
  let kept;
  // Not a listener: Node buffers messages until the first listener, which must be that of tinypool.
  process.emit = function (event, message, ...rest) {
    if (event === 'message' && message?.type === ANSWER) kept = message;
    return emit.call(this, event, message, ...rest);
  };
  process.send = function (message, ...rest) {
    if (message !== REQUEST || kept === undefined) return send.call(this, message, ...rest);
    process.nextTick(() => emit.call(process, 'message', kept));
    return true;
  };
}
