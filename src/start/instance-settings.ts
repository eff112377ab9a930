import { type DemoExamples } from '../platform/documentation/demo-examples.js';

/** What the primary process tells a process that it has started. */
export interface InstanceSettings {
  /** From 1 to INSTANCES. */
  readonly number: number;
  /** The environment of the service, with the chosen port. */
  readonly environment: NodeJS.ProcessEnv;
  readonly serviceUrl: string;
  /** Set for the process that creates the demo tenant. */
  readonly seedWith?: string | undefined;
  readonly examples?: DemoExamples | undefined;
}

/** Names of the calls between the primary process and the others. */
export const INSTANCE_CALLS = {
  /** Returns the InstanceSettings. */
  settings: 'settings',
  /** Releases the port that the primary process has reserved. */
  releasePort: 'release-port',
  print: 'print',
  /** Of a process that serves requests. The value is the examples of the demo tenant, if it has created them. */
  serving: 'serving',
  /** Of a process that cannot start, with the message for the operator. */
  failed: 'failed',
  /** Sent to a process: finish and end. */
  stop: 'stop',
} as const;
