import { Inject, Injectable } from '@nestjs/common';
import { newId } from '../../../common/identifier.js';
import { type WebhookDisabledReason } from '../../../common/vocabulary/webhooks.js';
import { CONFIGURATION, type Configuration } from '../../../platform/config/configuration.js';
import { type WriteTransaction } from '../../../platform/database/transactions/tenant-transaction.js';
import { UnitOfWork } from '../../../platform/database/transactions/unit-of-work.js';
import { EventsReader } from '../../../platform/events/events.reader.js';
import { serviceContext } from '../../../platform/tenancy/access/access.directory.js';
import { type AttemptResult, type WebhookRequest } from '../sending/webhook-client.js';
import { MAX_PENDING, WebhookDeliveriesRepository } from '../webhook-deliveries.repository.js';
import { WebhooksRepository } from '../webhooks.repository.js';
import { receiverOf } from '../webhooks.service.js';
import { DeliveryRate } from './delivery-rate.js';
import { retryDelay } from './retry-schedule.js';
import { eventPayload, signedRequest, testPayload } from './webhook-body.js';
import {
  type ActiveWebhook,
  type DueDelivery,
  type NewDelivery,
  type StoredOutcome,
  WebhookWorkRepository,
} from './webhook-work.repository.js';

const MAX_IN_FLIGHT_PER_WEBHOOK = 5;
export const MAX_IN_FLIGHT_PER_TENANT = 20;
/**
 * A webhook whose last attempts failed sends one request at a time. A tenant has at most as many webhooks as requests in
 * flight, so failing webhooks never use all of them.
 */
const MAX_IN_FLIGHT_WHEN_FAILING = 1;
/** Events that are read at once. */
const EVENT_BATCH = 500;
const GONE = 410;

/** A claimed delivery, ready to be sent. */
export interface Attempt {
  readonly tenantId: string;
  readonly claimId: string;
  readonly delivery: DueDelivery;
  readonly isFailing: boolean;
  readonly request: WebhookRequest;
}

/** `result` is null for an attempt that the stop of the service has interrupted. */
export interface Outcome {
  readonly attempt: Attempt;
  readonly result: AttemptResult | null;
}

/** How many requests the instance can send in addition; `failing`: to failing webhooks. */
export interface Slots {
  readonly all: number;
  readonly failing: number;
}

interface Round {
  readonly attempts: Attempt[];
  /** Milliseconds until the rate limit allows attempts that are due; 0 if it does not delay any. */
  readonly delayMs: number;
  readonly disabled: readonly { readonly webhookId: string; readonly reason: WebhookDisabledReason }[];
}

/**
 * One transaction of work on the deliveries of a tenant: stores outcomes, creates deliveries of new events, and claims
 * due deliveries (docs/adr/0041). The lock of the tenant's schedule makes the limits exact among all instances.
 */
@Injectable()
export class DeliveryRound {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly work: WebhookWorkRepository,
    private readonly webhooks: WebhooksRepository,
    private readonly deliveries: WebhookDeliveriesRepository,
    private readonly events: EventsReader,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  run(tenantId: string, outcomes: readonly Outcome[], slots: Slots): Promise<Round> {
    return this.uow.write(serviceContext(tenantId), (tx) => this.runIn(tx, outcomes, slots));
  }

  private async runIn(tx: WriteTransaction, outcomes: readonly Outcome[], slots: Slots): Promise<Round> {
    const schedule = await this.work.lockScheduleOrNull(tx);
    if (schedule === null) return { attempts: [], disabled: [], delayMs: 0 };
    const { now } = schedule;
    const rate = new DeliveryRate(schedule, this.configuration.webhookRatePerSecond);
    const interrupted = outcomes
      .filter(({ result }) => result === null)
      .map(({ attempt }) => claimOf(attempt));
    const loaded = await this.work.storeAndLoad(tx, now, outcomes.flatMap(storedOutcome), interrupted);
    if (schedule.isSuspended) {
      // The end of the suspension makes the tenant due again.
      const { nextClaimAt } = schedule;
      await this.webhooks.schedule(tx, { dueAt: null, nextSequence: null, nextClaimAt });
      return { attempts: [], disabled: [], delayMs: 0 };
    }
    const disabled: { webhookId: string; reason: WebhookDisabledReason }[] = [];
    const active: ActiveWebhook[] = [];
    for (const webhook of loaded) {
      const state = webhook.mayCreatorRead ? await this.evaluate(tx, webhook, outcomes) : 'CreatorLostRight';
      if (typeof state === 'object') active.push({ ...webhook, ...state });
      else {
        await this.disable(tx, webhook, state);
        disabled.push({ webhookId: webhook.id, reason: state });
      }
    }
    const { next, isComplete } = await this.createDeliveries(tx, active);
    const { attempts, open, full } = await this.claim(tx, now, active, {
      ...slots,
      all: Math.min(slots.all, rate.allowed),
    });
    rate.claimed(attempts.length);
    const dueAt = isComplete ? await this.work.nextAttempt(tx, { open, full }) : now;
    const delayMs = rate.delayOf(dueAt);
    await this.webhooks.schedule(tx, {
      dueAt: delayMs > 0 ? rate.nextClaimAt : dueAt,
      nextSequence: active.length > 0 ? next : null,
      nextClaimAt: rate.nextClaimAt,
    });
    return { attempts, disabled, delayMs };
  }

  /** Stores what the outcomes mean for the webhook. Returns its new state, or a reason if they disable it. */
  private async evaluate(
    tx: WriteTransaction,
    webhook: ActiveWebhook,
    outcomes: readonly Outcome[],
  ): Promise<Pick<ActiveWebhook, 'isFailing'> | 'Gone' | 'Failing'> {
    let { isFailing, isFailingLong } = webhook;
    let hasSucceeded = false;
    for (const { attempt, result } of outcomes) {
      if (attempt.delivery.webhookId !== webhook.id || result === null) continue;
      if (result.statusCode === GONE) return 'Gone';
      if (result.error === null) {
        hasSucceeded = true;
        isFailing = false;
        isFailingLong = false;
      } else {
        if (isFailingLong) return 'Failing';
        isFailing = true;
      }
    }
    if (hasSucceeded) {
      if (webhook.isFailing) await this.work.setFailing(tx, webhook.id, false);
      await this.work.advancePending(tx, webhook.id);
    }
    if (isFailing && (hasSucceeded || !webhook.isFailing)) await this.work.setFailing(tx, webhook.id, true);
    return { isFailing };
  }

  private async disable(
    tx: WriteTransaction,
    { id, url, createdBy, isCreatorMember }: ActiveWebhook,
    reason: WebhookDisabledReason,
  ): Promise<void> {
    await this.webhooks.disable(tx, id, reason);
    tx.record({ action: 'WebhookDisabled', subjectId: id, summary: `${receiverOf(url)}: ${reason}` });
    if (isCreatorMember) tx.notify(createdBy, 'WebhookDisabled', { webhookId: id, reason });
  }

  /** Returns the end of the log, and whether all webhooks that take more deliveries have reached it. */
  private async createDeliveries(
    tx: WriteTransaction,
    active: readonly ActiveWebhook[],
  ): Promise<{ next: number; isComplete: boolean }> {
    const { next } = await this.events.head(tx);
    const behind = active.filter(({ position }) => position < next);
    const created: NewDelivery[] = [];
    let isComplete = true;
    const batches = new Map<number, Awaited<ReturnType<EventsReader['readIndex']>>>();
    for (const { id, types, position } of behind) {
      let room = MAX_PENDING - (await this.deliveries.countPending(tx, id));
      if (room <= 0) continue;
      const events = batches.get(position) ?? (await this.events.readIndex(tx, position, EVENT_BATCH));
      batches.set(position, events);
      const before = created.length;
      let reached = position;
      for (const { sequence, id: eventId, type } of events) {
        if (types.length === 0 || types.includes(type)) {
          if (room === 0) break;
          created.push({ webhookId: id, sequence, eventId, type });
          room -= 1;
        }
        reached = sequence + 1;
      }
      await this.work.advance(tx, id, created.length - before, reached);
      if (room > 0 && reached < next) isComplete = false;
    }
    await this.work.insertDeliveries(tx, created);
    return { next, isComplete };
  }

  /** Claims due deliveries, one of each webhook in turn, until a limit is reached. */
  private async claim(
    tx: WriteTransaction,
    now: string,
    active: readonly ActiveWebhook[],
    slots: Slots,
  ): Promise<{ attempts: Attempt[]; open: string[]; full: string[] }> {
    const free = new Map(active.map((webhook) => [webhook.id, freeSlotsOf(webhook)]));
    const isOpen = ({ id }: ActiveWebhook) => (free.get(id) ?? 0) > 0;
    const candidates = active.filter(isOpen).map(({ id }) => ({ id, slots: free.get(id) ?? 0 }));
    const due = candidates.length > 0 ? await this.work.findDue(tx, candidates) : [];
    const byId = new Map(active.map((webhook) => [webhook.id, webhook]));
    const inFlight = active.reduce((sum, webhook) => sum + webhook.inFlight, 0);
    let left = Math.min(slots.all, MAX_IN_FLIGHT_PER_TENANT - inFlight);
    let failingLeft = slots.failing;
    const claimed: DueDelivery[] = [];
    for (const delivery of inTurn(due)) {
      if (left <= 0) break;
      if (byId.get(delivery.webhookId)?.isFailing) {
        if (failingLeft <= 0) continue;
        failingLeft -= 1;
      }
      left -= 1;
      claimed.push(delivery);
      free.set(delivery.webhookId, (free.get(delivery.webhookId) ?? 0) - 1);
    }
    const attempts = claimed.length > 0 ? await this.prepare(tx, now, claimed, byId) : [];
    return {
      attempts,
      open: active.filter(isOpen).map(({ id }) => id),
      full: active.filter((webhook) => !isOpen(webhook)).map(({ id }) => id),
    };
  }

  private async prepare(
    tx: WriteTransaction,
    now: string,
    claimed: readonly DueDelivery[],
    webhooks: ReadonlyMap<string, ActiveWebhook>,
  ): Promise<Attempt[]> {
    const claimId = newId();
    const ids = claimed.map(({ id }) => id);
    await this.work.claim(tx, ids, claimId);
    const sequences = claimed.flatMap(({ sequence }) => sequence ?? []);
    const events = new Map((await this.events.find(tx, sequences)).map((event) => [event.sequence, event]));
    return claimed.flatMap((delivery) => {
      const webhook = webhooks.get(delivery.webhookId);
      const event = events.get(delivery.sequence ?? -1);
      if (!webhook || (delivery.sequence !== null && !event)) return [];
      const payload = event
        ? eventPayload(tx.tenantId, event, webhook.createdBy)
        : testPayload(tx.tenantId, delivery);
      const request = signedRequest(webhook, delivery.eventId, payload, now);
      return [{ tenantId: tx.tenantId, claimId, delivery, isFailing: webhook.isFailing, request }];
    });
  }
}

function freeSlotsOf({ isFailing, inFlight }: ActiveWebhook): number {
  return Math.max(0, (isFailing ? MAX_IN_FLIGHT_WHEN_FAILING : MAX_IN_FLIGHT_PER_WEBHOOK) - inFlight);
}

/** The first delivery of each webhook, then the second of each … */
function inTurn(due: readonly DueDelivery[]): DueDelivery[] {
  const counts = new Map<string, number>();
  const ranked = due.map((delivery) => {
    const rank = counts.get(delivery.webhookId) ?? 0;
    counts.set(delivery.webhookId, rank + 1);
    return { delivery, rank };
  });
  return ranked.sort((one, other) => one.rank - other.rank).map(({ delivery }) => delivery);
}

function claimOf({ delivery, claimId }: Attempt): { deliveryId: string; claimId: string } {
  return { deliveryId: delivery.id, claimId };
}

function storedOutcome({ attempt, result }: Outcome): StoredOutcome[] {
  if (result === null) return [];
  const { statusCode, error, durationMs } = result;
  return [{ ...claimOf(attempt), statusCode, error, durationMs, next: nextOf(attempt.delivery, result) }];
}

function nextOf(
  { sequence, retries, advanced, retryIn }: DueDelivery,
  { error, retryAfter, durationMs }: AttemptResult,
): StoredOutcome['next'] {
  if (error === null) return 'delivered';
  // A test is sent once.
  if (sequence === null) return 'exhausted';
  const notBeforeSeconds = retryAfter > 0 ? retryAfter : null;
  if (advanced && retryIn !== null && retryIn > 0) {
    const inSeconds = Math.max(retryIn - durationMs / 1000, retryAfter, 0);
    return { retries, advanced: true, inSeconds, notBeforeSeconds };
  }
  const delay = retryDelay(retries);
  if (delay === null) return 'exhausted';
  return { retries: retries + 1, advanced: false, inSeconds: Math.max(delay, retryAfter), notBeforeSeconds };
}
