import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { it } from '@jest/globals';
import { type Actor } from '../../../support/actor.js';
import { sized } from '../../../support/exhaustive.js';
import { RotatingSample } from '../../support/case-selection.js';
import { type Slot } from '../../support/identifier-slot.js';
import {
  type Attempt,
  type IsolationTest,
  identifierIn,
  unknownIdentifiers,
} from '../../support/isolation-test.js';
import { type ApiResponse } from '../../support/conformance-client.js';
import { type RequestTemplate, type TenantOperation } from '../../support/tenant-operations.js';
import { FOREIGN_RESOURCE_VARIANTS, unknownIdentifier } from '../../support/operation-overrides.js';

/**
 * What is another tenant's is named wherever something can be named, by users who may see it there.
 *
 * @param isSample whether `npm test` makes one try for each field of an operation, and leaves out the guests
 */
export function defineForeignIdentifierTests(isolation: () => IsolationTest, isSample: boolean): void {
  const chosen = (attempts: readonly Attempt[]): readonly Attempt[] =>
    isSample
      ? new RotatingSample().choose(
          attempts,
          () => 'try',
          ({ what }) => what,
        )
      : attempts;
  const guests = () => (isSample ? sized([], [isolation().users.guest]) : [isolation().users.guest]);
  /** Each resource of the other tenant that could stand in the slot. */
  const foreignFor = ({ field, resource, location }: Slot): string[] => {
    const others = location === 'path' ? (FOREIGN_RESOURCE_VARIANTS[field] ?? []) : [];
    return [...new Set([resource, ...others])].map((name) => identifierIn(isolation().other, name));
  };
  /** Tries of one slot: with each foreign resource the same is answered as with one that nobody has. */
  function attemptsFor(
    { name }: TenantOperation,
    template: RequestTemplate,
    slot: Slot,
    who: Actor,
    judge: (answer: ApiResponse) => void = () => undefined,
  ): Attempt[] {
    return foreignFor(slot).map((foreign) => ({
      what: `${name} by ${who === isolation().users.guest ? 'a guest' : 'an administrator'}, ${slot.field}`,
      run: async () => {
        const { token } = who;
        const unknown = unknownIdentifier(slot.resource);
        const [there, nowhere] = [
          await isolation().ask(template, { token, instead: new Map([[slot, foreign]]) }),
          await isolation().ask(template, { token, instead: new Map([[slot, unknown]]) }),
        ];
        assert.equal(there.text, nowhere.text);
        assert.notEqual(there.answer.status, 401);
        judge(there.answer);
      },
    }));
  }

  it('404: for what is another tenant’s in the path, exactly as for what does not exist', async () => {
    const attempts = isolation().operations.flatMap((operation) =>
      operation.templates.flatMap((template) => {
        const inPath = template.slots.filter(({ location }) => location === 'path');
        const single = inPath.flatMap((slot) => [
          ...attemptsFor(operation, template, slot, isolation().callerOf(operation), ({ status }) =>
            assert.equal(status, 404),
          ),
          ...guests().flatMap((guest) => attemptsFor(operation, template, slot, guest)),
        ]);
        if (inPath.length < 2) return single;
        // Both are there, and belong together, in the other tenant.
        const both: Attempt = {
          what: `${operation.name}, all of its path`,
          run: async () => {
            const { token } = isolation().callerOf(operation);
            const there = await isolation().ask(template, {
              token,
              instead: isolation().foreignIdentifiers(inPath),
            });
            const nowhere = await isolation().ask(template, { token, instead: unknownIdentifiers(inPath) });
            assert.equal(there.answer.status, 404);
            assert.equal(there.text, nowhere.text);
          },
        };
        return [...single, both];
      }),
    );
    await isolation().expectRefused(chosen(attempts));
  });

  it('answers what is another tenant’s in the body exactly as what does not exist', async () => {
    const attempts = isolation().operations.flatMap((operation) =>
      operation.templates.flatMap((template) =>
        template.slots
          .filter(({ location }) => location === 'body')
          .flatMap((slot) => [
            ...attemptsFor(operation, template, slot, isolation().callerOf(operation), ({ status, json }) => {
              if (status !== 400) return;
              // So it was that, and nothing else, that was refused.
              assert.deepEqual(Object.keys((json as { errors: object }).errors), [slot.field]);
            }),
            ...guests().flatMap((guest) => attemptsFor(operation, template, slot, guest)),
          ]),
      ),
    );
    await isolation().expectRefused(chosen(attempts));
  });

  it('answers what is another tenant’s in the query exactly as what does not exist', async () => {
    await isolation().expectRefused(
      isolation().operations.flatMap((operation) =>
        operation.filterTemplates.flatMap((template) =>
          template.slots
            .filter(({ location }) => location === 'query')
            .flatMap((slot) => [
              ...attemptsFor(operation, template, slot, isolation().callerOf(operation)),
              ...attemptsFor(operation, template, slot, isolation().users.guest),
            ]),
        ),
      ),
    );
  });

  it('400: for a cursor that the same person got in another tenant, exactly as for one that nobody got', async () => {
    const { own, other, client } = isolation();
    const [inOwn, inOther] = [own, other].map(
      (populated) => (slot: Slot) => identifierIn(populated, slot.resource),
    ) as [(slot: Slot) => string, (slot: Slot) => string];
    await isolation().expectRefused(
      isolation().operations.flatMap((operation) => {
        const { name, page } = operation;
        if (!page) return [];
        const { token } = isolation().callerOf(operation);
        const cursorIn = ({ json }: { json: unknown }) =>
          (json as { nextCursor: string | null }).nextCursor ?? assert.fail('there is no second page');
        return {
          what: name,
          run: async () => {
            const foreign = cursorIn(await client.send({ ...page(other.tenant.slug, inOther), token }));
            const unknown = randomBytes(Buffer.from(foreign, 'base64url').length).toString('base64url');
            const template = (cursor: string): RequestTemplate => ({
              slots: [],
              build: (slug) => page(slug, inOwn, cursor),
            });
            const there = await isolation().ask(template(foreign), { token });
            assert.equal(there.answer.status, 400);
            assert.deepEqual(Object.keys((there.answer.json as { errors: object }).errors), ['cursor']);
            assert.equal((await isolation().ask(template(unknown), { token })).text, there.text);
            const genuine = cursorIn(await isolation().send({ ...page(own.tenant.slug, inOwn), token }));
            assert.equal((await isolation().ask(template(genuine), { token })).answer.status, 200);
          },
        };
      }),
    );
  });
}
