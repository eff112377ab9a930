import {
  type Action,
  type By,
  type History,
  type Question,
  type Round,
  concrete,
  variants,
} from './rights-history.js';
import { RightsModelWrites } from './rights-model-writes.js';
import { type Answer } from './rights-model-things.js';
import { allQuestions, questionsToAll } from './rights-questions.js';

/** What is done and asked, one after the other, with what comes of it by the model. */
export interface Scene {
  readonly action: By<Action> | null;
  readonly outcome: string;
  readonly answers: readonly (readonly [By<Question>, Answer])[];
}

/** New members ask only in one turn of so many. */
const SILENCE = 10;

/** The history as the model tells it. */
export function tell(history: History): Scene[] {
  const model = new RightsModelWrites(history);
  const scene = (action: By<Action> | null, questions: () => By<Question>[]): Scene => {
    const outcome = action ? model.perform(action) : 'done';
    return {
      action,
      outcome,
      answers: questions().map((question) => [question, model.ask(question)] as const),
    };
  };
  const scenes = history.rounds.flatMap((round, turn) => {
    if (!round) return [];
    const drawn = () => round.questions.flatMap((asked) => concrete(asked, model.counts) ?? []);
    // New members ask nothing for a while: only members who have called count as administrators.
    const asks = ({ by }: By<Question>) =>
      model.callers.has(by) || !model.members.has(by) || turn % SILENCE === SILENCE - 1;
    return [scene(actionOf(round, model), () => [...questionsToAll(turn), ...drawn()].filter(asks))];
  });
  return [...scenes, scene(null, () => allQuestions(model.counts))];
}

/** What is done, by whom; null where what it is about is not there. */
function actionOf({ action, choice }: Round, model: RightsModelWrites): By<Action> | null {
  const drawn = concrete(action, model.counts);
  if (!drawn || choice === 'as drawn') return drawn;
  const byOutcome = new Map<string, By<Action>>();
  for (const variant of variants(action)) {
    const other = concrete(variant, model.counts);
    const outcome = other && model.wouldSay(other);
    if (outcome && !byOutcome.has(outcome)) byOutcome.set(outcome, other);
    if (outcome === 'done' && choice === 'possible') return other;
  }
  const outcomes = [...byOutcome.values()];
  return (choice === 'possible' ? null : outcomes[choice % outcomes.length]) ?? drawn;
}
