import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectionHandover } from './connection-handover.js';
import { INSTANCE_CALLS, type InstanceSettings } from './instance-settings.js';
import { type Configuration } from '../platform/config/configuration.js';
import { type DemoExamples } from '../platform/documentation/demo-examples.js';
import { SharedRateLimits } from '../platform/http/rate-limit/primary-rate-limiter.js';
import { SharedMetrics } from '../platform/http/server/shared-metrics.js';
import { PrimarySlotCounts } from '../platform/http/streams/primary-stream-slots.js';
import { SharedIssuerEntries } from '../platform/identity/embedded/shared-adapter.js';
import { ProcessChannel } from '../platform/instances/process-channel.js';
import { Log } from '../platform/logging/log.js';
import { StandIn } from './stand-in.js';
import { StartError } from './start-checks.js';

/** Delay before a process is replaced that ended soon after its start; doubled each time. */
const MIN_DELAY_MS = 250;
const MAX_DELAY_MS = 30_000;
/** A process that has run longer is replaced at once. */
const STEADY_MS = 10_000;
/** Time beyond SHUTDOWN_TIMEOUT_MS in which a process must end: jobs, traces and connections have their own limits. */
const STOP_GRACE_MS = 15_000;

interface Options {
  readonly configuration: Configuration;
  readonly environment: NodeJS.ProcessEnv;
  readonly ownerUrl: string;
  readonly serviceUrl: string;
  readonly print: (line: string) => void;
  readonly releasePort: () => Promise<void>;
}

interface Running {
  readonly worker: Worker;
  readonly channel: ProcessChannel;
  readonly exited: Promise<boolean>;
}

/**
 * Runs the processes of a service with INSTANCES above 1 on one port (docs/adr/0037): starts them, replaces one that
 * ends, and holds what they share.
 */
export class InstanceProcesses {
  readonly metrics = new SharedMetrics();
  private readonly limits = new SharedRateLimits();
  private readonly streamSlots = new PrimarySlotCounts();
  private readonly issuerEntries = new SharedIssuerEntries();
  private readonly handover = new ConnectionHandover();
  private readonly running = new Set<Running>();
  private readonly stopping = new AbortController();
  private readonly log: Log;
  /** Processes that listen on the port, or are about to. */
  private readonly listening = new Set<ProcessChannel>();
  private readonly standIn: StandIn;
  private readonly replacing = new Set<Promise<void>>();
  /** Delay before the next replacement, by number of the process. */
  private readonly delays = new Map<number, number>();
  private examples: DemoExamples | undefined;

  constructor(private readonly options: Options) {
    const { configuration } = options;
    this.log = new Log(configuration);
    this.standIn = new StandIn(configuration.host, configuration.port, this.log);
    cluster.setupPrimary({
      exec: fileURLToPath(import.meta.resolve('./instance.js')),
      args: [],
      serialization: 'advanced',
    });
  }

  /** Process 1 starts first: it creates the demo tenant, and an error of the start is reported once. */
  async start(): Promise<void> {
    const { ownerUrl, configuration } = this.options;
    await this.startProcess(1, ownerUrl);
    const others = Array.from({ length: configuration.instances - 1 }, (_, index) => index + 2);
    await Promise.all(others.map((number) => this.startProcess(number)));
  }

  /** Resolves when the process serves requests. From then on, it is replaced when it ends. */
  private async startProcess(number: number, seedWith?: string): Promise<void> {
    if (this.stopping.signal.aborted) throw new StartError('Stopped before the service had started.');
    const worker = cluster.fork();
    this.handover.add(worker);
    const channel = new ProcessChannel(worker);
    const exited = once(worker, 'exit').then(([code]) => code === 0);
    const running: Running = { worker, channel, exited };
    this.running.add(running);
    this.serve(channel, { ...this.settings(), number, seedWith });
    let failure: string | undefined;
    const serving = new Promise<DemoExamples | undefined>((resolve) => {
      channel.handle(INSTANCE_CALLS.serving, resolve);
      channel.handle(INSTANCE_CALLS.failed, (message: string) => void (failure = message));
    });
    const ended = exited.then(async () => {
      this.running.delete(running);
      this.listening.delete(channel);
      channel.close();
      this.streamSlots.remove(channel);
      await this.metrics.remove(channel);
    });
    const hasStarted = await Promise.race([serving.then(() => true), ended.then(() => false)]);
    if (!hasStarted) {
      const { exitCode, signalCode } = worker.process;
      throw new StartError(
        failure ?? `A process of the service ended during its start (${signalCode ?? exitCode}).`,
      );
    }
    this.examples ??= await serving;
    const since = performance.now();
    void ended.then(() => {
      if (this.stopping.signal.aborted) return;
      if (this.listening.size === 0) this.standIn.open();
      if (performance.now() - since > STEADY_MS) this.delays.delete(number);
      const { pid, exitCode, signalCode } = worker.process;
      this.log.error(
        { instance: number, pid, exit: signalCode ?? exitCode },
        'a process of the service ended; starting another one',
      );
      const replacing = this.replace(number);
      this.replacing.add(replacing);
      void replacing.finally(() => this.replacing.delete(replacing));
    });
  }

  private async replace(number: number): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const delay = this.delays.get(number) ?? 0;
      this.delays.set(number, Math.min(Math.max(2 * delay, MIN_DELAY_MS), MAX_DELAY_MS));
      await sleep(delay, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await this.startProcess(number);
        return this.log.info({ instance: number }, 'the process of the service is replaced');
      } catch (err) {
        if (signal.aborted) return;
        // It can have taken the port from the stand-in.
        if (this.listening.size === 0) this.standIn.open();
        this.log.error({ err, instance: number }, 'a process of the service cannot be started');
      }
    }
  }

  private settings(): Omit<InstanceSettings, 'number'> {
    const { environment, serviceUrl } = this.options;
    return { environment: { ...environment }, serviceUrl, examples: this.examples };
  }

  private serve(channel: ProcessChannel, settings: InstanceSettings): void {
    this.metrics.add(channel);
    this.limits.serve(channel);
    this.streamSlots.serve(channel);
    this.issuerEntries.serve(channel);
    channel.handle(INSTANCE_CALLS.settings, () => settings);
    channel.handle(INSTANCE_CALLS.releasePort, async () => {
      this.listening.add(channel);
      await this.standIn.close();
      await this.options.releasePort();
    });
    channel.handle(INSTANCE_CALLS.print, (line: string) => this.options.print(line));
  }

  /** @returns false when a process had to abort a request, or did not end in time */
  async stop(): Promise<boolean> {
    this.stopping.abort();
    await this.standIn.close();
    const clean = await Promise.all([...this.running].map((running) => this.stopProcess(running)));
    await Promise.all(this.replacing);
    return clean.every(Boolean);
  }

  private async stopProcess({ worker, channel, exited }: Running): Promise<boolean> {
    void channel.call(INSTANCE_CALLS.stop).catch(() => undefined);
    const timer = setTimeout(
      () => worker.process.kill('SIGKILL'),
      this.options.configuration.shutdownTimeout + STOP_GRACE_MS,
    );
    const clean = await exited;
    clearTimeout(timer);
    return clean;
  }
}
