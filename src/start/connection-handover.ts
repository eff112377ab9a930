import { type ChildProcess, type SendHandle, type Serializable } from 'node:child_process';
import { type Worker } from 'node:cluster';

/** Messages of node:cluster about a connection: `seq` when it is sent to a process, `ack` in the answer. */
interface HandoverMessage {
  readonly seq?: number;
  readonly ack?: number;
}

type Connection = SendHandle & { close(): void };

/**
 * Passes connections of a killed process on. node:cluster forgets a connection that it has sent to a process which is
 * killed before it accepts the connection: its client would wait for ever. Another process gets it with the same
 * message, whose answer node:cluster still expects. Without another process, it is closed.
 */
export class ConnectionHandover {
  private readonly listening = new Set<ChildProcess>();

  /** Must be called when the process has just been started. */
  add(worker: Worker): void {
    const { process: child } = worker;
    const pending = new Map<number | undefined, [message: Serializable, connection: Connection]>();
    const send = child.send.bind(child) as (...values: unknown[]) => boolean;
    child.send = (message: Serializable, ...rest: unknown[]) => {
      if (rest[0] && typeof rest[0] === 'object')
        pending.set((message as HandoverMessage).seq, [message, rest[0] as Connection]);
      return send(message, ...rest);
    };
    child.on('internalMessage', ({ ack }: HandoverMessage) => pending.delete(ack));
    worker.once('listening', () => this.listening.add(child));
    // Unlike `exit`, `close` comes after the last answer of the process.
    child.once('close', () => {
      this.listening.delete(child);
      for (const [message, connection] of pending.values()) {
        const other = [...this.listening].find(({ connected }) => connected);
        if (other) other.send(message, connection);
        else connection.close();
      }
    });
  }
}
