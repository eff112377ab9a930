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
 * Defines tests that send identifiers of another tenant in every slot of every operation. The callers may see these
 * resources in the other tenant.
 *
 * @param isSample whether `npm test` tries only one identifier for each slot, and no guests
 */
export function defineForeignIdentifierTests(isolation: () => IsolationTest, isSample: boolean): void {
  const sampled = (attempts: readonly Attempt[]): readonly Attempt[] =>
    isSample
      ? new RotatingSample().choose(
          attempts,
          () => 'attempt',
          ({ what }) => what,
        )
      : attempts;
  const guests = () => (isSample ? sized([], [isolation().users.guest]) : [isolation().users.guest]);
  /** The identifiers of the other tenant that fit the slot. */
  const foreignFor = ({ field, resource, location }: Slot): string[] => {
    const others = location === 'path' ? (FOREIGN_RESOURCE_VARIANTS[field] ?? []) : [];
    return [...new Set([resource, ...others])].map((name) => identifierIn(isolation().other, name));
  };
  /** Checks that each foreign identifier in the slot gets the same response as an unknown one. */
  function attemptsFor(
    { name }: TenantOperation,
    template: RequestTemplate,
    slot: Slot,
    caller: Actor,
    check: (response: ApiResponse) => void = () => undefined,
  ): Attempt[] {
    return foreignFor(slot).map((foreign) => ({
      what: `${name} by ${caller === isolation().users.guest ? 'a guest' : 'an administrator'}, ${slot.field}`,
      run: async () => {
        const { token } = caller;
        const unknown = unknownIdentifier(slot.resource);
        const [foreignResult, unknownResult] = [
          await isolation().request(template, { token, instead: new Map([[slot, foreign]]) }),
          await isolation().request(template, { token, instead: new Map([[slot, unknown]]) }),
        ];
        assert.equal(foreignResult.text, unknownResult.text);
        assert.notEqual(foreignResult.response.status, 401);
        check(foreignResult.response);
      },
    }));
  }

  it('returns the same 404 for a foreign id in the path as for an unknown one', async () => {
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
        // Both ids exist in the other tenant and belong together there.
        const both: Attempt = {
          what: `${operation.name}, all ids in the path`,
          run: async () => {
            const { token } = isolation().callerOf(operation);
            const foreignResult = await isolation().request(template, {
              token,
              instead: isolation().foreignIdentifiers(inPath),
            });
            const unknownResult = await isolation().request(template, {
              token,
              instead: unknownIdentifiers(inPath),
            });
            assert.equal(foreignResult.response.status, 404);
            assert.equal(foreignResult.text, unknownResult.text);
          },
        };
        return [...single, both];
      }),
    );
    await isolation().expectRefused(sampled(attempts));
  });

  it('gives the same response for a foreign id in the body as for an unknown one', async () => {
    const attempts = isolation().operations.flatMap((operation) =>
      operation.templates.flatMap((template) =>
        template.slots
          .filter(({ location }) => location === 'body')
          .flatMap((slot) => [
            ...attemptsFor(operation, template, slot, isolation().callerOf(operation), ({ status, json }) => {
              if (status !== 400) return;
              // The foreign id is the only error.
              assert.deepEqual(Object.keys((json as { errors: object }).errors), [slot.field]);
            }),
            ...guests().flatMap((guest) => attemptsFor(operation, template, slot, guest)),
          ]),
      ),
    );
    await isolation().expectRefused(sampled(attempts));
  });

  it('gives the same response for a foreign id in the query as for an unknown one', async () => {
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

  it('returns the same 400 for a cursor from another tenant as for an invented one', async () => {
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
            const foreignResult = await isolation().request(template(foreign), { token });
            assert.equal(foreignResult.response.status, 400);
            assert.deepEqual(Object.keys((foreignResult.response.json as { errors: object }).errors), [
              'cursor',
            ]);
            assert.equal((await isolation().request(template(unknown), { token })).text, foreignResult.text);
            const genuine = cursorIn(await isolation().send({ ...page(own.tenant.slug, inOwn), token }));
            assert.equal((await isolation().request(template(genuine), { token })).response.status, 200);
          },
        };
      }),
    );
  });
}
