/** Why a webhook is disabled. `Manual`: by a request; all others by the service. */
export const WEBHOOK_DISABLED_REASONS = ['Manual', 'Gone', 'Failing', 'CreatorLostRight'] as const;

export type WebhookDisabledReason = (typeof WEBHOOK_DISABLED_REASONS)[number];
