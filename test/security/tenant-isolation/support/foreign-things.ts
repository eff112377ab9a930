import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { it } from '@jest/globals';
import { type Actor } from '../../../support/actor.js';
import { sized } from '../../../support/exhaustive.js';
import { Rotation } from '../../support/selection.js';
import { type Slot } from '../../support/slot.js';
import { type Try, type Wall, thingIn, unknownIn } from '../../support/wall.js';
import { type WallAnswer } from '../../support/wall-client.js';
import { type Form, type WallOperation } from '../../support/wall-operations.js';
import { OTHERS_OF_A_KIND, unknownThing } from '../../support/wall-things.js';

/**
 * What is another tenant's is named wherever something can be named, by people who may see it there.
 *
 * @param isSample whether `npm test` makes one try for each place of an operation, and leaves out the guests
 */
export function foreignThings(wall: () => Wall, isSample: boolean): void {
  const chosen = (tries: readonly Try[]): readonly Try[] =>
    isSample
      ? new Rotation().choose(
          tries,
          () => 'try',
          ({ what }) => what,
        )
      : tries;
  const guests = () => (isSample ? sized([], [wall().people.guest]) : [wall().people.guest]);
  /** Each thing of the other tenant that could stand in the slot. */
  const foreignFor = ({ place, thing, where }: Slot): string[] => {
    const others = where === 'path' ? (OTHERS_OF_A_KIND[place] ?? []) : [];
    return [...new Set([thing, ...others])].map((name) => thingIn(wall().other, name));
  };
  /** Tries of one slot: with each foreign thing the same is answered as with one that nobody has. */
  function triesOf(
    { name }: WallOperation,
    form: Form,
    slot: Slot,
    who: Actor,
    judge: (answer: WallAnswer) => void = () => undefined,
  ): Try[] {
    return foreignFor(slot).map((foreign) => ({
      what: `${name} by ${who === wall().people.guest ? 'a guest' : 'an administrator'}, ${slot.place}`,
      run: async () => {
        const { token } = who;
        const unknown = unknownThing(slot.thing);
        const [there, nowhere] = [
          await wall().ask(form, { token, instead: new Map([[slot, foreign]]) }),
          await wall().ask(form, { token, instead: new Map([[slot, unknown]]) }),
        ];
        assert.equal(there.text, nowhere.text);
        assert.notEqual(there.answer.status, 401);
        judge(there.answer);
      },
    }));
  }

  it('404: for what is another tenant’s in the path, exactly as for what does not exist', async () => {
    const tries = wall().operations.flatMap((operation) =>
      operation.forms.flatMap((form) => {
        const inPath = form.slots.filter(({ where }) => where === 'path');
        const single = inPath.flatMap((slot) => [
          ...triesOf(operation, form, slot, wall().callerOf(operation), ({ status }) =>
            assert.equal(status, 404),
          ),
          ...guests().flatMap((guest) => triesOf(operation, form, slot, guest)),
        ]);
        if (inPath.length < 2) return single;
        // Both are there, and belong together, in the other tenant.
        const both: Try = {
          what: `${operation.name}, all of its path`,
          run: async () => {
            const { token } = wall().callerOf(operation);
            const there = await wall().ask(form, { token, instead: wall().foreignIn(inPath) });
            const nowhere = await wall().ask(form, { token, instead: unknownIn(inPath) });
            assert.equal(there.answer.status, 404);
            assert.equal(there.text, nowhere.text);
          },
        };
        return [...single, both];
      }),
    );
    await wall().expectRefused(chosen(tries));
  });

  it('answers what is another tenant’s in the body exactly as what does not exist', async () => {
    const tries = wall().operations.flatMap((operation) =>
      operation.forms.flatMap((form) =>
        form.slots
          .filter(({ where }) => where === 'body')
          .flatMap((slot) => [
            ...triesOf(operation, form, slot, wall().callerOf(operation), ({ status, json }) => {
              if (status !== 400) return;
              // So it was that, and nothing else, that was refused.
              assert.deepEqual(Object.keys((json as { errors: object }).errors), [slot.place]);
            }),
            ...guests().flatMap((guest) => triesOf(operation, form, slot, guest)),
          ]),
      ),
    );
    await wall().expectRefused(chosen(tries));
  });

  it('answers what is another tenant’s in the query exactly as what does not exist', async () => {
    await wall().expectRefused(
      wall().operations.flatMap((operation) =>
        operation.filters.flatMap((form) =>
          form.slots
            .filter(({ where }) => where === 'query')
            .flatMap((slot) => [
              ...triesOf(operation, form, slot, wall().callerOf(operation)),
              ...triesOf(operation, form, slot, wall().people.guest),
            ]),
        ),
      ),
    );
  });

  it('400: for a cursor that the same person got in another tenant, exactly as for one that nobody got', async () => {
    const { own, other, client } = wall();
    const [inOwn, inOther] = [own, other].map(
      (settlement) => (slot: Slot) => thingIn(settlement, slot.thing),
    ) as [(slot: Slot) => string, (slot: Slot) => string];
    await wall().expectRefused(
      wall().operations.flatMap((operation) => {
        const { name, page } = operation;
        if (!page) return [];
        const { token } = wall().callerOf(operation);
        const cursorIn = ({ json }: { json: unknown }) =>
          (json as { nextCursor: string | null }).nextCursor ?? assert.fail('there is no second page');
        return {
          what: name,
          run: async () => {
            const foreign = cursorIn(await client.send({ ...page(other.tenant.slug, inOther), token }));
            const unknown = randomBytes(Buffer.from(foreign, 'base64url').length).toString('base64url');
            const form = (cursor: string): Form => ({
              slots: [],
              build: (slug) => page(slug, inOwn, cursor),
            });
            const there = await wall().ask(form(foreign), { token });
            assert.equal(there.answer.status, 400);
            assert.deepEqual(Object.keys((there.answer.json as { errors: object }).errors), ['cursor']);
            assert.equal((await wall().ask(form(unknown), { token })).text, there.text);
            const genuine = cursorIn(await wall().send({ ...page(own.tenant.slug, inOwn), token }));
            assert.equal((await wall().ask(form(genuine), { token })).answer.status, 200);
          },
        };
      }),
    );
  });
}
