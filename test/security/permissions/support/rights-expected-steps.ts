import {
  type Action,
  type ByUser,
  type History,
  type Query,
  type Step,
  withExistingNumbers,
  variants,
} from './rights-history.js';
import { RightsModelWrites } from './rights-model-writes.js';
import { type QueryResult } from './rights-model-types.js';
import { allQueries, queriesAfterStep } from './rights-queries.js';

/** What is done and asked, one after the other, with what comes of it by the model. */
export interface ExpectedStep {
  readonly action: ByUser<Action> | null;
  readonly outcome: string;
  readonly answers: readonly (readonly [ByUser<Query>, QueryResult])[];
}

/** New members ask only in one turn of so many. */
const SILENCE = 10;

/** The history as the model tells it. */
export function expectedStepsOf(history: History): ExpectedStep[] {
  const model = new RightsModelWrites(history);
  const scene = (action: ByUser<Action> | null, queries: () => ByUser<Query>[]): ExpectedStep => {
    const outcome = action ? model.perform(action) : 'done';
    return {
      action,
      outcome,
      answers: queries().map((query) => [query, model.ask(query)] as const),
    };
  };
  const expectedSteps = history.steps.flatMap((round, turn) => {
    if (!round) return [];
    const drawn = () => round.queries.flatMap((asked) => withExistingNumbers(asked, model.counts) ?? []);
    // New members ask nothing for a while: only members who have called count as administrators.
    const asks = ({ by }: ByUser<Query>) =>
      model.callers.has(by) || !model.members.has(by) || turn % SILENCE === SILENCE - 1;
    return [scene(actionOf(round, model), () => [...queriesAfterStep(turn), ...drawn()].filter(asks))];
  });
  return [...expectedSteps, scene(null, () => allQueries(model.counts))];
}

/** What is done, by whom; null where what it is about is not there. */
function actionOf({ action, choice }: Step, model: RightsModelWrites): ByUser<Action> | null {
  const drawn = withExistingNumbers(action, model.counts);
  if (!drawn || choice === 'as drawn') return drawn;
  const byOutcome = new Map<string, ByUser<Action>>();
  for (const variant of variants(action)) {
    const other = withExistingNumbers(variant, model.counts);
    const outcome = other && model.predictOutcome(other);
    if (outcome && !byOutcome.has(outcome)) byOutcome.set(outcome, other);
    if (outcome === 'done' && choice === 'possible') return other;
  }
  const outcomes = [...byOutcome.values()];
  return (choice === 'possible' ? null : outcomes[choice % outcomes.length]) ?? drawn;
}
