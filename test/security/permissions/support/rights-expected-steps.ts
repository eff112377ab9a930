import {
  type Action,
  type ByUser,
  type History,
  type Query,
  type RandomStep,
  withExistingNumbers,
  variants,
} from './rights-history.js';
import { RightsModelWrites } from './rights-model-writes.js';
import { type QueryResult } from './rights-model-types.js';
import { accessQueriesAfterStep, allQueries, queriesAfterStep } from './rights-queries.js';

/** An action and the queries after it, with their expected results according to the model. */
export interface ExpectedStep {
  /** Null when the step has queries only. */
  readonly action: ByUser<Action> | null;
  readonly outcome: string;
  readonly results: readonly (readonly [ByUser<Query>, QueryResult])[];
}

/** New members send queries in every tenth step only. */
const NEW_MEMBER_QUERY_INTERVAL = 10;

/** Runs the history on the model. A last step sends all queries of all users. */
export function expectedStepsOf(history: History): ExpectedStep[] {
  const model = new RightsModelWrites(history);
  const stepOf = (action: ByUser<Action> | null, queries: () => ByUser<Query>[]): ExpectedStep => {
    const outcome = action ? model.perform(action) : 'done';
    return {
      action,
      outcome,
      results: queries().map((query) => [query, model.runQuery(query)] as const),
    };
  };
  const expectedSteps = history.steps.flatMap((step, turn) => {
    if (!step) return [];
    const drawn = () => step.queries.flatMap((query) => withExistingNumbers(query, model.counts) ?? []);
    // New members send few queries, so that some remain members who have never made a request.
    const isSent = ({ by }: ByUser<Query>) =>
      model.callers.has(by) ||
      !model.members.has(by) ||
      turn % NEW_MEMBER_QUERY_INTERVAL === NEW_MEMBER_QUERY_INTERVAL - 1;
    const queries = () => [
      ...queriesAfterStep(turn),
      ...drawn(),
      ...accessQueriesAfterStep(turn, model.counts),
    ];
    return [stepOf(actionOf(step, model), () => queries().filter(isSent))];
  });
  return [...expectedSteps, stepOf(null, () => allQueries(model.counts))];
}

/** The action of a step after its choice was applied; null when a resource that it needs does not exist. */
function actionOf({ action, choice }: RandomStep, model: RightsModelWrites): ByUser<Action> | null {
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
