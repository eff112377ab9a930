/**
 * Keeps the data that jest-light-runner sends to a worker until the worker asks for it. When one worker asks, the runner
 * sends the data to all workers; one that does not listen yet would lose it, and wait for ever (jest-light-runner 0.7.13).
 */
const ASKS = 'jest-light-runner-get-worker-data';
const ANSWER = 'jest-light-runner-worker-data';

if (process.send && process.env.TINYPOOL_WORKER_ID) {
  const { emit, send } = process;
  let kept;
  // A listener would take the messages that Node holds back until tinypool listens.
  process.emit = function (event, message, ...rest) {
    if (event === 'message' && message?.type === ANSWER) kept = message;
    return emit.call(this, event, message, ...rest);
  };
  process.send = function (message, ...rest) {
    if (message !== ASKS || kept === undefined) return send.call(this, message, ...rest);
    process.nextTick(() => emit.call(process, 'message', kept));
    return true;
  };
}
