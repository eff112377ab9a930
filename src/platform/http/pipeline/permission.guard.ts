import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type Problem, missingPermission } from '../../../common/problem.js';
import { type RunQuery } from '../../database/transactions/tenant-context.js';
import { type Caller } from '../../tenancy/access/caller.js';
import { GrantsReader } from '../../tenancy/access/grants.reader.js';
import { type EndpointOptions } from '../endpoint/endpoint-options.js';
import { pathId } from '../endpoint/path-id.js';
import { type FilingRequest, requestOf } from './request-state.js';

/**
 * Checks the permission for the operation before the request is validated: by the role, or by a grant, an access list
 * or authorship that covers the resource in the path. Before a 403, cached rights are read again.
 */
@Injectable()
export class PermissionGuard implements CanActivate {
  constructor(private readonly grants: GrantsReader) {}

  /** Synchronous if the role has the permission. */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = requestOf(context);
    const { caller, endpoint } = request.state;
    if (!caller || !endpoint) return true;
    caller.recheckPermission = async (query) => {
      if (!(await this.allows(caller, endpoint, request, query))) throw missing(caller, endpoint);
    };
    if (!holds(caller, endpoint)) return this.admit(caller, endpoint, request);
    request.state.admitted = true;
    return true;
  }

  private async admit(caller: Caller, endpoint: EndpointOptions, request: FilingRequest): Promise<boolean> {
    if (!(await this.allows(caller, endpoint, request))) {
      if (caller.confirmed) throw missing(caller, endpoint);
      await caller.revalidate();
    }
    request.state.admitted = true;
    return true;
  }

  private async allows(
    caller: Caller,
    endpoint: EndpointOptions,
    request: FilingRequest,
    query?: RunQuery,
  ): Promise<boolean> {
    if (holds(caller, endpoint)) return true;
    const { orGrant, orListedWith, orCreatorWith } = endpoint;
    const documentId = pathId(request, 'documentId');
    if (orListedWith && (await this.grants.hasPermissionFor(caller, orListedWith, documentId, query))) {
      if (await this.grants.isListed(caller, documentId, query)) return true;
    }
    if (orCreatorWith && (await this.grants.hasPermissionFor(caller, orCreatorWith, documentId, query))) {
      if (await this.grants.isCreator(caller, documentId, query)) return true;
    }
    switch (orGrant?.on) {
      case 'any':
        return this.grants.holdsAny(caller, orGrant.level, query);
      case 'file':
        return this.grants.coversFile(caller, pathId(request, 'fileId'), orGrant.level, query);
      case 'document':
        return this.grants.coversDocument(caller, documentId, orGrant.level, query);
      case undefined:
        return false;
    }
  }
}

function missing(caller: Caller, { permission, andPermission }: EndpointOptions): Problem {
  const isOther = andPermission !== undefined && holds(caller, { permission });
  return missingPermission(...(isOther ? [andPermission] : [permission].flat()));
}

/** Whether the role of the caller allows the operation. */
export function holds(
  caller: Caller,
  { permission, andPermission }: Pick<EndpointOptions, 'permission' | 'andPermission'>,
): boolean {
  if (andPermission && !caller.has(andPermission)) return false;
  if (typeof permission !== 'string') return permission.some((one) => caller.has(one));
  return permission === 'member' || permission === 'user' || caller.has(permission);
}
